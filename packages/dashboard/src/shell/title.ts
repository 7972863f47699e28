import {computed, effect, signal} from '@preact/signals';

/** What the page in front is called. */
export const pageTitle = signal('');
/** How many approvals wait for somebody. */
export const waiting = signal(0);

const title = computed(() => {
	const name = pageTitle.value === '' ? 'Signalbox' : `${pageTitle.value} · Signalbox`;
	return waiting.value > 0 ? `(${waiting.value}) ${name}` : name;
});

effect(() => {
	document.title = title.value;
});

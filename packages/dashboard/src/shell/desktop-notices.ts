import {signal} from '@preact/signals';
import type {Approval} from '@signalbox/client-sdk';

/** Whether this browser can show a notice while the page is behind others. */
export const canNotify = 'Notification' in globalThis && Notification.permission !== 'denied';

export const isNotifying = signal(canNotify && Notification.permission === 'granted');

export const startNotifying = async (): Promise<void> => {
	isNotifying.value = (await Notification.requestPermission()) === 'granted';
};

const known = new Set<string>();
let first = true;

const notify = ({id, tool_name}: Approval): void => {
	try {
		const notice = new Notification('A call waits for you', {body: tool_name, tag: id});
		notice.onclick = () => {
			focus();
			location.assign(`/approvals/${id}`);
		};
	} catch {
		// Browsers of phones show notices of service workers only.
	}
};

/** Tells of calls that wait since the last look, when nobody is looking at the page. */
export const noticeWaiting = (approvals: readonly Approval[]): void => {
	const fresh = approvals.filter(({id}) => !known.has(id));
	for (const {id} of fresh) known.add(id);
	if (!first && isNotifying.value && document.visibilityState === 'hidden') for (const each of fresh) notify(each);
	first = false;
};

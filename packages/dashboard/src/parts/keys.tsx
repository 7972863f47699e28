import {signal} from '@preact/signals';
import {useEffect, useRef} from 'preact/hooks';
import {Dialog} from './dialog.tsx';

/** A key that does something on the page in front. */
export type Shortcut = Readonly<{key: string; does: string; run: () => void}>;

const shortcuts = signal<readonly (readonly Shortcut[])[]>([]);
const helpIsOpen = signal(false);

const isTyping = (target: EventTarget | null): boolean =>
	target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select, [contenteditable]');

const isAsked = (event: KeyboardEvent): boolean =>
	!event.ctrlKey &&
	!event.metaKey &&
	!event.altKey &&
	!event.defaultPrevented &&
	!isTyping(event.target) &&
	document.querySelector('dialog[open]') === null;

addEventListener('keydown', (event) => {
	if (!isAsked(event)) return;
	if (event.key === '?') helpIsOpen.value = true;
	const shortcut = shortcuts.value.flat().find(({key}) => key === event.key);
	if (shortcut === undefined) return;
	event.preventDefault();
	shortcut.run();
});

/** Keys that work while the page is shown, and nobody is writing or being asked something. `?` lists them. */
export const useKeys = (list: readonly Shortcut[]): void => {
	const latest = useRef(list);
	latest.current = list;
	useEffect(() => {
		const mine = latest.current.map(({key, does}) => ({
			key,
			does,
			run: () => latest.current.find((each) => each.key === key)?.run(),
		}));
		shortcuts.value = [...shortcuts.peek(), mine];
		return () => {
			shortcuts.value = shortcuts.peek().filter((each) => each !== mine);
		};
	}, []);
};

/** What the keys do, while somebody wants to know. */
export const KeyHelp = () => {
	if (!helpIsOpen.value) return null;
	const all = [...shortcuts.value.flat(), {key: '?', does: 'Show this list'}];
	return (
		<Dialog title="Keys of this page" onClose={() => (helpIsOpen.value = false)}>
			<dl class="facts">
				{all.map(({key, does}) => [
					<dt key={`${key} key`}>
						<kbd>{key}</kbd>
					</dt>,
					<dd key={key}>{does}</dd>,
				])}
			</dl>
		</Dialog>
	);
};

export const KeyHelpButton = () => (
	<button type="button" class="button quiet small" onClick={() => (helpIsOpen.value = true)}>
		Keys <kbd>?</kbd>
	</button>
);

import {signal} from '@preact/signals';
import {isCutOff} from '../live/live.ts';
import {requestIdOf, wordsOf} from './error-notice.tsx';
import {Icon} from './icon.tsx';

type Toast = Readonly<{id: number; text: string; tone: 'good' | 'bad'}>;

const toasts = signal<readonly Toast[]>([]);
const shownFor = {good: 5000, bad: 12_000};
let nextId = 0;

const dismiss = (id: number): void => {
	toasts.value = toasts.value.filter((toast) => toast.id !== id);
};

const show = (text: string, tone: Toast['tone']): void => {
	nextId += 1;
	const id = nextId;
	toasts.value = [...toasts.value.slice(-3), {id, text, tone}];
	setTimeout(() => dismiss(id), shownFor[tone]);
};

/** Says for a moment that something was done. */
export const showDone = (text: string): void => show(text, 'good');

/** Says what failed, where there is no better place for it. */
export const showProblem = (error: unknown): void => {
	const requestId = requestIdOf(error);
	show(`${wordsOf(error)}${requestId === undefined ? '' : ` (request ${requestId})`}`, 'bad');
};

export const Toasts = () => (
	<div class="toasts" role="status" aria-live="polite">
		{isCutOff.value && (
			<div class="toast bad">
				<span>Signalbox does not answer. What is shown may be old, and is read again once it does.</span>
			</div>
		)}
		{toasts.value.map(({id, text, tone}) => (
			<div key={id} class={`toast ${tone}`}>
				<span>{text}</span>
				<button type="button" class="button quiet small icon-only" aria-label="Dismiss" onClick={() => dismiss(id)}>
					<Icon name="close" />
				</button>
			</div>
		))}
	</div>
);

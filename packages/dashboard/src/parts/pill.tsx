import type {ComponentChildren} from 'preact';

export type Tone = 'good' | 'bad' | 'warn' | 'live' | 'idle';

/** A state, in a word; the colour only repeats it. */
export const Pill = ({tone, children}: {tone: Tone; children: ComponentChildren}) => (
	<span class={`pill ${tone}`}>{children}</span>
);

import type {HeaderField} from '../model/message.ts';
import type {EnvMarkers} from './env-markers.ts';
import type {MessageView} from './message-view.ts';

/** What a step of the pipeline says of a webhook. Messages show no value of a variable. */
export type StepVerdict =
	| Readonly<{
			outcome: 'passed';
			message: string;
			headers?: readonly HeaderField[];
			body?: string;
			delay_seconds?: number;
	  }>
	| Readonly<{outcome: 'blocked'; message: string}>
	/** Passes, unless somebody was first with that value at that step. */
	| Readonly<{outcome: 'claims'; message: string; value: string; ttl_seconds: number}>;

/** A step made ready for many webhooks. @throws RangeError, UnresolvedReference for what the webhook or a variable makes impossible. */
export type Step = (view: MessageView, markers: EnvMarkers) => StepVerdict;

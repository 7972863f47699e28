import type {Middleware} from '@signalbox/client-sdk';
import {secondsInWords} from '../parts/seconds.ts';

export type StepType = Middleware['type'];
export type StepConfig = Middleware['config'];

/** What the steps are called, and what each is for. */
export const stepKinds: Readonly<Record<StepType, Readonly<{name: string; purpose: string}>>> = {
	filter: {name: 'Filter', purpose: 'Ends webhooks that nobody needs. What it stops is kept, and not delivered.'},
	transform_headers: {name: 'Change headers', purpose: 'Sets headers of the webhook, or takes them away.'},
	transform_body: {name: 'Change body', purpose: 'Sets fields of a JSON body, or takes them away.'},
	delay: {name: 'Delay', purpose: 'Lets the webhook wait before it is delivered.'},
	deduplicate: {name: 'Drop duplicates', purpose: 'Lets a webhook pass once, however often its sender repeats it.'},
};

export const stepTypes = Object.keys(stepKinds) as readonly StepType[];

/** Said of a condition. */
export const operatorWords: Readonly<Record<string, string>> = {
	equals: 'equals',
	not_equals: 'does not equal',
	contains: 'contains',
	matches: 'matches the pattern',
	exists: 'is there',
};

const namesOf = (value: unknown): readonly string[] => {
	if (Array.isArray(value)) return value.map(String);
	return typeof value === 'object' && value !== null ? Object.keys(value) : [];
};

const changes = ({set, remove}: StepConfig): string => {
	const parts = [
		namesOf(set).length > 0 && `sets ${namesOf(set).join(', ')}`,
		namesOf(remove).length > 0 && `removes ${namesOf(remove).join(', ')}`,
	].filter((part) => part !== false);
	return parts.join(' and ') || 'changes nothing';
};

/** What a step does, as a sentence without its full stop. */
export const describeStep = ({type, config}: Pick<Middleware, 'type' | 'config'>): string => {
	switch (type) {
		case 'filter': {
			const value = config.operator === 'exists' ? '' : ` ${JSON.stringify(config.value ?? '')}`;
			return `stops it when ${config.field} ${operatorWords[String(config.operator)]}${value}`;
		}
		case 'transform_headers':
		case 'transform_body':
			return changes(config);
		case 'delay':
			return `waits ${secondsInWords(Number(config.seconds))}`;
		case 'deduplicate':
			return `stops it when ${config.key} was the same within ${secondsInWords(Number(config.ttl))}`;
	}
};

import type {CronChainExecution, CronExecution} from '@signalbox/client-sdk';
import {Pill, type Tone} from '../parts/pill.tsx';

type Status =
	| CronExecution['status']
	| CronChainExecution['status']
	| CronChainExecution['steps'][number]['status']
	| 'waiting';

const shown: Readonly<Record<Status, readonly [Tone, string]>> = {
	pending: ['warn', 'Waiting for an agent'],
	waiting: ['idle', 'Not yet'],
	running: ['live', 'Running'],
	success: ['good', 'Succeeded'],
	completed: ['good', 'Completed'],
	failed: ['bad', 'Failed'],
	timeout: ['bad', 'Took too long'],
	skipped: ['idle', 'Skipped'],
	canceled: ['idle', 'Canceled'],
};

export const runStatuses = (['pending', 'running', 'success', 'failed', 'timeout', 'canceled'] as const).map(
	(value) => ({value, label: shown[value][1]}),
);

export const RunState = ({status}: {status: Status}) => {
	const [tone, word] = shown[status];
	return <Pill tone={tone}>{word}</Pill>;
};

const causes: Readonly<Record<CronExecution['triggered_by'] | CronChainExecution['triggered_by'], string>> = {
	scheduled: 'its schedule',
	schedule: 'its schedule',
	manual: 'a person',
	retry: 'a retry',
	chain: 'a chain',
	webhook: 'a webhook',
};

/** What started a run. */
export const causeOf = (triggered: keyof typeof causes): string => causes[triggered];

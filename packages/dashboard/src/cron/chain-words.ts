import type {CronChain} from '@signalbox/client-sdk';

export type ChainStep = CronChain['steps'][number];
export type Condition = ChainStep['condition_type'];

/** When a step runs, by how the last one before it that ran has ended. */
export const conditionWords: Readonly<Record<Condition, string>> = {
	on_success: 'on success',
	on_failure: 'on failure',
	always: 'always',
};

export const conditionOptions = Object.entries(conditionWords).map(([value, label]) => ({value, label}));

/** What starts a chain besides a person. */
export const triggerText = ({trigger_type, trigger_schedule, is_enabled}: CronChain): string => {
	if (!is_enabled && trigger_type !== 'manual') return 'paused: only a person starts it';
	if (trigger_type === 'schedule') return trigger_schedule ?? '';
	return trigger_type === 'webhook' ? 'each webhook of an endpoint' : 'a person';
};

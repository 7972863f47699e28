import type {ErrorDetail} from '../../values/error-detail.ts';
import type {ReadSettings} from '../../values/read-settings.ts';
import {isSameJson} from '../../values/same-json.ts';
import {schemaProblems} from '../../values/schema-problems.ts';
import type {ChainRecord, ChainStep} from '../model/chain.ts';
import {type ChainSettings, chainSettingsSchema, type ParsedChainSettings} from '../model/chain-settings.ts';
import {readSchedule} from './job-settings.ts';

/** What a chain is made of that requests set, and the canonical form of its schedule. */
export type ChainFields = Pick<
	ChainRecord,
	| 'name'
	| 'description'
	| 'trigger_type'
	| 'trigger_schedule'
	| 'timezone'
	| 'trigger_endpoint_id'
	| 'is_enabled'
	| 'schedule_cron'
>;

/** A request that was read: its steps, in its order, are numbered from 0 without gaps. */
export type ReadChain = Readonly<{fields: Partial<ChainFields>; steps: readonly ChainStep[] | undefined}>;

export const defaultChainFields: Omit<ChainFields, 'name' | 'trigger_type'> = {
	description: null,
	trigger_schedule: null,
	timezone: 'UTC',
	trigger_endpoint_id: null,
	is_enabled: true,
	schedule_cron: null,
};

type GivenSteps = NonNullable<ParsedChainSettings['steps']>;

const repeatedOrders = (steps: GivenSteps): readonly ErrorDetail[] =>
	steps.flatMap(({step_order}, index) =>
		steps.findIndex((other) => other.step_order === step_order) < index
			? [{path: `steps.${index}.step_order`, message: `${step_order} stands in another step too`}]
			: [],
	);

const withoutGaps = (steps: GivenSteps): readonly ChainStep[] => {
	const orders = steps.map(({step_order}) => step_order).sort((a, b) => a - b);
	return steps.map((step) => ({...step, step_order: orders.indexOf(step.step_order)}));
};

const readTrigger = ({trigger_schedule, timezone}: ParsedChainSettings): ReadSettings<Partial<ChainFields>> => {
	const read = readSchedule({schedule: trigger_schedule ?? undefined, timezone});
	if (!read.ok) {
		const details = read.details.map(({path, message}) => ({
			path: path === 'schedule' ? 'trigger_schedule' : path,
			message,
		}));
		return {ok: false, details};
	}
	return {ok: true, value: trigger_schedule === null ? {schedule_cron: null} : read.value};
};

/** Reads what a request wants to set; `required` are the fields that it must have. */
export const readChainSettings = (
	request: ChainSettings,
	required: readonly (keyof ChainSettings)[] = [],
): ReadSettings<ReadChain> => {
	const missing = required.filter((field) => request[field] === undefined);
	const details: ErrorDetail[] = missing.map((path) => ({path, message: 'is required'}));
	const read = chainSettingsSchema.safeParse(request);
	if (!read.success) return {ok: false, details: [...details, ...schemaProblems(read.error)]};
	const {steps, ...given} = read.data;
	const trigger = readTrigger(read.data);
	details.push(...(trigger.ok ? [] : trigger.details), ...repeatedOrders(steps ?? []));
	if (details.length > 0 || !trigger.ok) return {ok: false, details};
	const set = Object.entries(given).filter(([, value]) => value !== undefined);
	return {
		ok: true,
		value: {fields: {...Object.fromEntries(set), ...trigger.value}, steps: steps && withoutGaps(steps)},
	};
};

const requiredByTrigger = {schedule: 'trigger_schedule', webhook: 'trigger_endpoint_id', manual: undefined} as const;

/**
 * The field that the chain's trigger lacks. @param asked what a request sets: a chain whose endpoint was deleted may be
 * changed otherwise.
 */
export const missingTrigger = (chain: ChainFields, asked: Partial<ChainFields>): ErrorDetail | undefined => {
	const path = requiredByTrigger[chain.trigger_type];
	if (path === undefined || chain[path] !== null) return undefined;
	if (asked.trigger_type === undefined && asked[path] === undefined) return undefined;
	return {path, message: `is required when trigger_type is ${chain.trigger_type}`};
};

/** What ticks start: undefined when the chain is no such chain, or disabled. */
export const chainScheduleOf = ({
	trigger_type,
	is_enabled,
	schedule_cron,
	timezone,
}: ChainFields): Readonly<{schedule_cron: string; timezone: string}> | undefined =>
	trigger_type === 'schedule' && is_enabled && schedule_cron !== null ? {schedule_cron, timezone} : undefined;

const shownFields = [
	...(['name', 'trigger_type', 'trigger_schedule', 'timezone'] as const),
	...(['trigger_endpoint_id', 'is_enabled'] as const),
];

/** What the audit keeps of a change: new values by field name, and the names of all that changed. */
export const auditedChainChange = (before: ChainRecord, after: ChainRecord): Record<string, unknown> => {
	const changed = (field: keyof ChainRecord) => !isSameJson(before[field], after[field]);
	const shown = shownFields.filter(changed).map((field) => [field, after[field]] as const);
	return {
		...Object.fromEntries(shown),
		fields: [...shownFields, 'description' as const, 'steps' as const].filter(changed),
	};
};

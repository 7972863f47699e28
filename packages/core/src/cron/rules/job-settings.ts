import type {ErrorDetail} from '../../values/error-detail.ts';
import type {ReadSettings} from '../../values/read-settings.ts';
import {isSameJson} from '../../values/same-json.ts';
import {schemaProblems} from '../../values/schema-problems.ts';
import type {CronJobRecord} from '../model/job.ts';
import {type JobSettings, jobSettingsSchema, type ParsedJobSettings} from '../model/job-settings.ts';
import {parseSchedule} from './parse-schedule.ts';
import {isTimezone} from './zone-segments.ts';

/** What a job is made of that requests set, and the canonical form of its schedule. */
export type JobFields = Pick<CronJobRecord, Exclude<keyof ParsedJobSettings, undefined> | 'schedule_cron'>;

export const defaultJobFields: Omit<JobFields, 'name' | 'schedule' | 'schedule_cron' | 'command'> = {
	timezone: 'UTC',
	concurrency: 'forbid',
	working_dir: '',
	timeout_seconds: 300,
	retry_config: {max_retries: 0, intervals: [30, 60, 300]},
	notification_config: {},
	environment: {},
	tags: [],
	agent_id: null,
	is_enabled: true,
};

/** A schedule and a zone as they are stored, or what is wrong with them. */
export const readSchedule = ({
	schedule,
	timezone,
}: Pick<JobSettings, 'schedule' | 'timezone'>): ReadSettings<Partial<Pick<JobFields, 'schedule_cron'>>> => {
	const parsed = schedule === undefined ? undefined : parseSchedule(schedule);
	const details: ErrorDetail[] = [];
	if (parsed?.ok === false) details.push({path: 'schedule', message: parsed.message});
	if (timezone !== undefined && !isTimezone(timezone))
		details.push({path: 'timezone', message: 'must be the IANA name of a time zone, such as Europe/Berlin'});
	if (details.length > 0) return {ok: false, details};
	return {ok: true, value: parsed?.ok === true ? {schedule_cron: parsed.schedule_cron} : {}};
};

/** Reads what a request wants to set; `required` are the fields that it must have. */
export const readJobSettings = (
	request: JobSettings,
	required: readonly (keyof JobSettings)[] = [],
): ReadSettings<Partial<JobFields>> => {
	const missing = required.filter((field) => request[field] === undefined);
	const details: ErrorDetail[] = missing.map((path) => ({path, message: 'is required'}));
	const read = jobSettingsSchema.safeParse(request);
	if (!read.success) return {ok: false, details: [...details, ...schemaProblems(read.error)]};
	const schedule = readSchedule(read.data);
	if (!schedule.ok) return {ok: false, details: [...details, ...schedule.details]};
	if (details.length > 0) return {ok: false, details};
	const given = Object.entries(read.data).filter(([, value]) => value !== undefined);
	return {ok: true, value: {...Object.fromEntries(given), ...schedule.value}};
};

/** Whether the next run of the one may be another than that of the other. */
export const isRescheduled = (before: JobFields, after: JobFields): boolean =>
	before.schedule_cron !== after.schedule_cron ||
	before.timezone !== after.timezone ||
	before.is_enabled !== after.is_enabled;

const shownFields = ['name', 'schedule', 'timezone', 'concurrency', 'agent_id', 'is_enabled'] as const;
const namedFields = [
	...(['command', 'working_dir', 'timeout_seconds', 'retry_config'] as const),
	...(['notification_config', 'environment', 'tags'] as const),
];

/** What the audit keeps of a change: new values by field name; of what may hold a secret, the names of the fields. */
export const auditedJobChange = (before: JobFields, after: JobFields): Record<string, unknown> => {
	const changed = (field: keyof JobFields) => !isSameJson(before[field], after[field]);
	const shown = shownFields.filter(changed).map((field) => [field, after[field]] as const);
	return {...Object.fromEntries(shown), fields: [...shownFields, ...namedFields].filter(changed)};
};

import {jobSettingsSchema} from '@signalbox/core';
import {z} from 'zod';
import {defineRoute} from '../http/define-route.ts';
import {booleanField, idParams, integerField, pageFields, pageOf, withExtensions} from '../http/fields.ts';
import {executionView} from './executions.views.ts';
import {checkedScheduleView, explainedScheduleView, jobView, upcomingRunView} from './jobs.views.ts';

const settings = withExtensions(jobSettingsSchema, 'timezone', 'concurrency', 'is_enabled');
const {shape} = settings;

const create = defineRoute({
	method: 'POST',
	path: '/v1/cron-jobs',
	operationId: 'cron.jobs.create',
	summary: 'Make a cron job; its command runs on the host of an agent',
	auth: 'caller',
	payload: settings
		.extend({name: shape.name.unwrap(), schedule: shape.schedule.unwrap(), command: shape.command.unwrap()})
		.meta({
			id: 'CreateCronJob',
			examples: [{name: 'Nightly backup', schedule: 'every day at 2:30am', command: './backup.sh'}],
		}),
	replies: {201: jobView},
	errors: ['plan_limit_reached'],
	handler: ({core, caller, payload}) => core.cron.jobs.create(caller, payload),
});

const list = defineRoute({
	method: 'GET',
	path: '/v1/cron-jobs',
	operationId: 'cron.jobs.list',
	summary: "The caller's jobs, newest first",
	auth: 'caller',
	query: z.strictObject({
		enabled: booleanField.optional(),
		tag: z.string().min(1).max(64).optional(),
		...pageFields,
		limit: integerField({min: 1, max: 100, default: 20}),
	}),
	replies: {200: pageOf('CronJobPage', jobView)},
	handler: ({core, caller, query: {limit, offset, ...filter}}) => core.cron.jobs.list(caller, filter, {limit, offset}),
});

const next = defineRoute({
	method: 'GET',
	path: '/v1/cron-jobs/next',
	operationId: 'cron.jobs.next',
	summary: 'When each enabled job runs next, soonest first',
	auth: 'caller',
	query: z.strictObject({...pageFields, limit: integerField({min: 1, max: 1000, default: 1000})}),
	replies: {200: pageOf('UpcomingCronRunPage', upcomingRunView)},
	handler: ({core, caller, query}) => core.cron.jobs.upcoming(caller, query),
});

const scheduleQuestion = z.strictObject({
	schedule: shape.schedule.unwrap(),
	timezone: jobSettingsSchema.shape.timezone,
	count: z.int().min(1).max(50).optional().meta({description: 'How many runs to name. Default: 5.'}),
});

const explain = defineRoute({
	method: 'POST',
	path: '/v1/cron-jobs/explain',
	operationId: 'cron.jobs.explain',
	summary: 'What a schedule means, and when it runs next',
	auth: 'caller',
	extension: true,
	payload: scheduleQuestion.meta({id: 'ExplainSchedule', examples: [{schedule: 'every weekday at 9am'}]}),
	replies: {200: explainedScheduleView},
	handler: ({core, payload}) => core.cron.jobs.explain(payload),
});

const check = defineRoute({
	method: 'POST',
	path: '/v1/cron-jobs/check',
	operationId: 'cron.jobs.check',
	summary: 'Whether a text is a schedule yet, and what it means: for forms, while somebody writes',
	auth: 'caller',
	extension: true,
	payload: scheduleQuestion.meta({id: 'CheckSchedule', examples: [{schedule: 'every week'}]}),
	replies: {200: checkedScheduleView},
	handler: ({core, payload}) => core.cron.jobs.check(payload),
});

const get = defineRoute({
	method: 'GET',
	path: '/v1/cron-jobs/{id}',
	operationId: 'cron.jobs.get',
	summary: 'One job',
	auth: 'caller',
	params: idParams,
	replies: {200: jobView},
	handler: ({core, caller, params}) => core.cron.jobs.get(caller, params.id),
});

const update = defineRoute({
	method: 'PUT',
	path: '/v1/cron-jobs/{id}',
	operationId: 'cron.jobs.update',
	summary: 'Change a job; what is left out stays as it is',
	auth: 'caller',
	params: idParams,
	payload: settings.meta({id: 'UpdateCronJob', examples: [{schedule: 'every hour'}]}),
	replies: {200: jobView},
	errors: ['conflict'],
	handler: ({core, caller, params, payload}) => core.cron.jobs.update(caller, params.id, payload),
});

const remove = defineRoute({
	method: 'DELETE',
	path: '/v1/cron-jobs/{id}',
	operationId: 'cron.jobs.delete',
	summary: 'Delete a job with its executions, for good; what runs of it is killed',
	auth: 'caller',
	params: idParams,
	replies: {204: null},
	handler: async ({core, caller, params}) => {
		await core.cron.jobs.delete(caller, params.id);
		return undefined;
	},
});

const enable = defineRoute({
	method: 'POST',
	path: '/v1/cron-jobs/{id}/enable',
	operationId: 'cron.jobs.enable',
	summary: 'Let the schedule of a job run it',
	auth: 'caller',
	params: idParams,
	replies: {200: jobView},
	errors: ['conflict'],
	handler: ({core, caller, params}) => core.cron.jobs.enable(caller, params.id),
});

const disable = defineRoute({
	method: 'POST',
	path: '/v1/cron-jobs/{id}/disable',
	operationId: 'cron.jobs.disable',
	summary: 'Keep the schedule of a job from running it',
	auth: 'caller',
	params: idParams,
	replies: {200: jobView},
	errors: ['conflict'],
	handler: ({core, caller, params}) => core.cron.jobs.disable(caller, params.id),
});

const run = defineRoute({
	method: 'POST',
	path: '/v1/cron-jobs/{id}/run',
	operationId: 'cron.jobs.run',
	summary: 'Run a job now, whatever its schedule says and whether or not it is enabled',
	auth: 'caller',
	params: idParams,
	replies: {201: executionView},
	handler: ({core, caller, params}) => core.cron.jobs.run(caller, params.id),
});

export const cronJobRoutes = [create, list, next, explain, check, get, update, remove, enable, disable, run];

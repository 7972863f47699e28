import {executionStatusSchema, triggeredBySchema} from '@signalbox/core';
import {z} from 'zod';
import {defineRoute} from '../http/define-route.ts';
import {idField, idParams, instantField, pageFields, pageOf} from '../http/fields.ts';
import {executionView} from './executions.views.ts';

const list = defineRoute({
	method: 'GET',
	path: '/v1/cron-executions',
	operationId: 'cron.executions.list',
	summary: "Runs of the caller's jobs, newest first; of each output the last 4 KiB",
	auth: 'caller',
	extension: true,
	query: z.strictObject({
		job_id: idField.optional(),
		status: executionStatusSchema.optional(),
		triggered_by: triggeredBySchema.optional(),
		from: instantField.optional().meta({description: 'Of scheduled_for. Inclusive.'}),
		to: instantField.optional().meta({description: 'Exclusive.'}),
		...pageFields,
	}),
	replies: {200: pageOf('CronExecutionPage', executionView)},
	handler: ({core, caller, query: {limit, offset, ...filter}}) =>
		core.cron.executions.list(caller, filter, {limit, offset}),
});

const get = defineRoute({
	method: 'GET',
	path: '/v1/cron-executions/{id}',
	operationId: 'cron.executions.get',
	summary: 'One run with all of its output that was kept',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {200: executionView},
	handler: ({core, caller, params}) => core.cron.executions.get(caller, params.id),
});

const cancel = defineRoute({
	method: 'POST',
	path: '/v1/cron-executions/{id}/cancel',
	operationId: 'cron.executions.cancel',
	summary: 'End a run: its command is killed, or never begins',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {200: executionView},
	errors: ['conflict'],
	handler: ({core, caller, params}) => core.cron.executions.cancel(caller, params.id),
});

const retry = defineRoute({
	method: 'POST',
	path: '/v1/cron-executions/{id}/retry',
	operationId: 'cron.executions.retry',
	summary: 'Run the job of an ended run again, as it is now',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {201: executionView},
	errors: ['conflict'],
	handler: ({core, caller, params}) => core.cron.executions.retry(caller, params.id),
});

export const cronExecutionRoutes = [list, get, cancel, retry];

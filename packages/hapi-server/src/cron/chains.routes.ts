import {chainSettingsSchema} from '@signalbox/core';
import {defineRoute} from '../http/define-route.ts';
import {idParams, listOf, withExtensions} from '../http/fields.ts';
import {chainExecutionView, chainView} from './chains.views.ts';

const settings = withExtensions(chainSettingsSchema, 'timezone', 'is_enabled');
const {shape} = settings;

const exampleSteps = [
	{cron_job_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2b10', step_order: 0, timeout_seconds: 900},
	{cron_job_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2b11', step_order: 1, condition_type: 'on_failure' as const},
];

const create = defineRoute({
	method: 'POST',
	path: '/v1/cron/chains',
	operationId: 'cron.chains.create',
	summary: 'Make a chain of cron jobs; each step runs on the outcome of the one before',
	auth: 'caller',
	payload: settings
		.extend({name: shape.name.unwrap(), trigger_type: shape.trigger_type.unwrap(), steps: shape.steps.unwrap()})
		.meta({
			id: 'CreateCronChain',
			examples: [
				{name: 'Nightly', trigger_type: 'schedule', trigger_schedule: 'every day at 2:30am', steps: exampleSteps},
			],
		}),
	replies: {201: chainView},
	handler: ({core, caller, payload}) => core.cron.chains.create(caller, payload),
});

const list = defineRoute({
	method: 'GET',
	path: '/v1/cron/chains',
	operationId: 'cron.chains.list',
	summary: "All of the caller's chains, newest first",
	auth: 'caller',
	replies: {200: listOf('CronChainList', chainView)},
	handler: async ({core, caller}) => ({data: await core.cron.chains.list(caller)}),
});

const get = defineRoute({
	method: 'GET',
	path: '/v1/cron/chains/{id}',
	operationId: 'cron.chains.get',
	summary: 'One chain',
	auth: 'caller',
	params: idParams,
	replies: {200: chainView},
	handler: ({core, caller, params}) => core.cron.chains.get(caller, params.id),
});

const update = defineRoute({
	method: 'PUT',
	path: '/v1/cron/chains/{id}',
	operationId: 'cron.chains.update',
	summary: 'Change a chain; what is left out stays as it is, and steps, when given, take the place of all',
	auth: 'caller',
	params: idParams,
	payload: settings.meta({id: 'UpdateCronChain', examples: [{is_enabled: false}, {steps: exampleSteps}]}),
	replies: {200: chainView},
	errors: ['conflict'],
	handler: ({core, caller, params, payload}) => core.cron.chains.update(caller, params.id, payload),
});

const remove = defineRoute({
	method: 'DELETE',
	path: '/v1/cron/chains/{id}',
	operationId: 'cron.chains.delete',
	summary: 'Delete a chain with its steps and executions, for good; what runs of it is canceled first',
	auth: 'caller',
	params: idParams,
	replies: {204: null},
	handler: async ({core, caller, params}) => {
		await core.cron.chains.delete(caller, params.id);
		return undefined;
	},
});

const run = defineRoute({
	method: 'POST',
	path: '/v1/cron/chains/{id}/run',
	operationId: 'cron.chains.run',
	summary: 'Start a chain now, whether or not it is enabled or runs already',
	auth: 'caller',
	params: idParams,
	replies: {201: chainExecutionView},
	handler: ({core, caller, params}) => core.cron.chains.run(caller, params.id),
});

export const cronChainRoutes = [create, list, get, update, remove, run];

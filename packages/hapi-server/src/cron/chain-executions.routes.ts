import {z} from 'zod';
import {defineRoute} from '../http/define-route.ts';
import {idParams, integerField, pageFields, pageOf} from '../http/fields.ts';
import {chainExecutionView} from './chains.views.ts';

const list = defineRoute({
	method: 'GET',
	path: '/v1/cron/chains/{id}/executions',
	operationId: 'cron.chains.executions',
	summary: 'What became of each start of a chain, newest first',
	auth: 'caller',
	params: idParams,
	query: z.strictObject({...pageFields, limit: integerField({min: 1, max: 100, default: 20})}),
	replies: {200: pageOf('CronChainExecutionPage', chainExecutionView)},
	handler: ({core, caller, params, query}) => core.cron.chainExecutions.list(caller, params.id, query),
});

const get = defineRoute({
	method: 'GET',
	path: '/v1/cron/chain-executions/{id}',
	operationId: 'cron.chainExecutions.get',
	summary: 'One execution of a chain, with its steps',
	auth: 'caller',
	params: idParams,
	replies: {200: chainExecutionView},
	handler: ({core, caller, params}) => core.cron.chainExecutions.get(caller, params.id),
});

const cancel = defineRoute({
	method: 'POST',
	path: '/v1/cron/chain-executions/{id}/cancel',
	operationId: 'cron.chainExecutions.cancel',
	summary: 'End an execution of a chain: its command is killed, and no other step runs',
	auth: 'caller',
	params: idParams,
	replies: {200: chainExecutionView},
	errors: ['conflict'],
	handler: ({core, caller, params}) => core.cron.chainExecutions.cancel(caller, params.id),
});

export const cronChainExecutionRoutes = [list, get, cancel];

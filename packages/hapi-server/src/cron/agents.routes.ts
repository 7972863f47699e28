import {agentChangeSchema, agentSchema} from '@signalbox/core';
import {defineRoute} from '../http/define-route.ts';
import {idParams, listOf} from '../http/fields.ts';

const agentView = agentSchema.meta({
	id: 'Agent',
	examples: [
		{
			id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2b00',
			name: 'db-1',
			hostname: 'db-1.example.com',
			os: 'linux',
			arch: 'x64',
			version: '1.0.0',
			status: 'online',
			is_default: true,
			capacity: 4,
			running: 1,
			last_seen_at: '2026-01-31T09:30:00.000Z',
			created_at: '2026-01-31T09:00:00.000Z',
		},
	],
});

const list = defineRoute({
	method: 'GET',
	path: '/v1/agents',
	operationId: 'agents.list',
	summary: "The caller's agents: the hosts that run commands, oldest first",
	auth: 'caller',
	extension: true,
	replies: {200: listOf('AgentList', agentView)},
	handler: async ({core, caller}) => ({data: await core.cron.agents.list(caller)}),
});

const get = defineRoute({
	method: 'GET',
	path: '/v1/agents/{id}',
	operationId: 'agents.get',
	summary: 'One agent',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {200: agentView},
	handler: ({core, caller, params}) => core.cron.agents.get(caller, params.id),
});

const update = defineRoute({
	method: 'PUT',
	path: '/v1/agents/{id}',
	operationId: 'agents.update',
	summary: 'Rename an agent, or make it the default one',
	auth: 'caller',
	extension: true,
	params: idParams,
	payload: agentChangeSchema.meta({id: 'UpdateAgent', examples: [{name: 'db-2', is_default: true}]}),
	replies: {200: agentView},
	handler: ({core, caller, params, payload}) => core.cron.agents.update(caller, params.id, payload),
});

const remove = defineRoute({
	method: 'DELETE',
	path: '/v1/agents/{id}',
	operationId: 'agents.delete',
	summary: "Delete an agent; its jobs are the default agent's then",
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {204: null},
	handler: async ({core, caller, params}) => {
		await core.cron.agents.delete(caller, params.id);
		return undefined;
	},
});

export const agentRoutes = [list, get, update, remove];

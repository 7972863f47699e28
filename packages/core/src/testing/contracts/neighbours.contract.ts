import {buildApiKey} from '../builders/accounts.ts';
import {buildVariable} from '../builders/environment.ts';
import {buildNotification, buildNotificationChannel} from '../builders/live.ts';
import {buildMiddleware} from '../builders/webhook.ts';
import {addChain, addChainOwner} from './chain-world.ts';
import type {Contract} from './contract.ts';
import {addAgent, addJob, addOwner as addOwnerOfJobs, addRun} from './cron-world.ts';
import {addEndpoint, addOwner as addOwnerOfEndpoint} from './webhook-world.ts';
import type {ContractWorld} from './world.ts';

type Row = Readonly<{id: string}>;

/** Rows of one owner: how to make one, how to read them all, and what is done to one of them. */
type Neighbourhood = Readonly<{
	add(): Promise<Row>;
	all(): Promise<readonly Row[]>;
	acts: Readonly<Record<string, (row: Row) => Promise<unknown>>>;
}>;

type Neighbourhoods = Readonly<Record<string, Neighbourhood>>;

const ofAccounts = async ({stores, addTenant, now}: ContractWorld): Promise<Neighbourhoods> => {
	const {user_id, team_ids} = await addTenant();
	const viewer = {user_id, team_ids};
	const updated_at = now();
	return {
		'API key': {
			add: async () => {
				const key = buildApiKey({user_id});
				await stores.apiKeys.create(key, null);
				return key;
			},
			all: () => stores.apiKeys.list(user_id),
			acts: {
				delete: ({id}) => stores.apiKeys.delete(user_id, id),
				touch: ({id}) => stores.apiKeys.touch(id, now()),
			},
		},
		variable: {
			add: async () => {
				const variable = buildVariable({user_id});
				await stores.variables.create(variable);
				return variable;
			},
			all: () => stores.variables.list(viewer),
			acts: {
				update: ({id}) => stores.variables.update(viewer, id, {description: 'changed', updated_at}),
				delete: ({id}) => stores.variables.delete(viewer, id),
			},
		},
	};
};

const ofNotifications = async ({stores, addTenant, now}: ContractWorld): Promise<Neighbourhoods> => {
	const {user_id} = await addTenant();
	const updated_at = now();
	return {
		notification: {
			add: async () => {
				const notification = buildNotification({user_id});
				await stores.notifications.append(notification);
				return notification;
			},
			all: async () => (await stores.notifications.list(user_id, {unread_only: false}, {limit: 10, offset: 0})).data,
			acts: {
				markRead: ({id}) => stores.notifications.markRead(user_id, id),
				delete: ({id}) => stores.notifications.delete(user_id, id),
			},
		},
		'notification channel': {
			add: async () => {
				const channel = buildNotificationChannel({user_id});
				await stores.notificationChannels.create(channel, 10);
				return channel;
			},
			all: () => stores.notificationChannels.list(user_id),
			acts: {
				update: ({id}) => stores.notificationChannels.update(user_id, id, {name: 'changed', updated_at}),
				delete: ({id}) => stores.notificationChannels.delete(user_id, id),
			},
		},
	};
};

const ofMcp = async (world: ContractWorld): Promise<Neighbourhoods> => {
	const {stores, addTenant, addServer, addCall, addApproval} = world;
	const owner = await addTenant();
	const {team_id, team_ids, user_id} = owner;
	const server = await addServer(await addTenant());
	const page = {limit: 10, offset: 0, body_chars: 100};
	const approvals = async () => {
		const lists = (['pending', 'approved'] as const).map((status) =>
			stores.approvals.list({user_id: '', team_ids: [server.team_id]}, status, 10),
		);
		return (await Promise.all(lists)).flat();
	};
	const decision = {status: 'approved', decided_by: user_id, decision_note: null} as const;
	return {
		server: {
			add: () => addServer(owner),
			all: () => stores.mcpServers.list(team_id),
			acts: {
				delete: ({id}) => stores.mcpServers.delete(team_ids, id),
				update: async ({id}) => {
					const found = await stores.mcpServers.get(team_ids, id);
					if (found) await stores.mcpServers.update(team_ids, {...found, name: 'changed'}, found.version);
				},
			},
		},
		call: {
			add: () => addCall(server),
			all: async () => (await stores.calls.list(server.team_id, {}, page)).data,
			acts: {delete: ({id}) => stores.calls.delete([server.team_id], id)},
		},
		approval: {
			add: () => addApproval(server),
			all: approvals,
			acts: {
				settle: ({id}) => stores.approvals.settle([server.team_id], id, decision),
				detach: ({id}) => stores.approvals.detach(id),
			},
		},
	};
};

const ofWebhooks = async (world: ContractWorld): Promise<Neighbourhoods> => {
	const {endpoint, ...owner} = await addOwnerOfEndpoint(world);
	const {endpoints, middlewares} = world.stores;
	const {team_id, team_ids} = owner;
	const other = await addOwnerOfEndpoint(world);
	return {
		endpoint: {
			add: () => addEndpoint(world, owner),
			all: async () => (await endpoints.list(team_id)).filter(({id}) => id !== endpoint.id),
			acts: {
				delete: ({id}) => endpoints.delete(team_ids, id),
				update: async ({id}) => {
					const found = await endpoints.get(team_ids, id);
					if (found) await endpoints.update(team_ids, {...found, name: 'changed'}, found.version);
				},
			},
		},
		step: {
			add: () => middlewares.create(buildMiddleware({endpoint: other.endpoint})),
			all: () => middlewares.list(other.endpoint.id),
			acts: {
				update: ({id}) => middlewares.update(other.endpoint.id, id, (step) => ({...step, name: 'changed'})),
				delete: ({id}) => middlewares.delete(other.endpoint.id, id),
			},
		},
	};
};

const ofCron = async (world: ContractWorld): Promise<Neighbourhoods> => {
	const {stores, addTenant} = world;
	const {user_id, team_id} = await addTenant();
	const runner = await addOwnerOfJobs(world);
	const chained = await addChainOwner(world);
	const page = {limit: 10, offset: 0};
	return {
		job: {
			add: () => addJob(world, {user_id, team_id}),
			all: async () => (await stores.cronJobs.list(user_id, {}, page)).data,
			acts: {
				delete: ({id}) => stores.cronJobs.delete(user_id, id),
				update: async ({id}) => {
					const found = await stores.cronJobs.get(user_id, id);
					if (found) await stores.cronJobs.update(user_id, {...found, command: 'changed'}, found.version);
				},
			},
		},
		agent: {
			add: () => addAgent(world, {user_id}),
			all: async () => (await stores.agents.list(user_id)).map(({agent}) => agent),
			acts: {
				update: ({id}) => stores.agents.update(user_id, id, {name: 'changed'}),
				delete: ({id}) => stores.agents.delete(user_id, id),
			},
		},
		run: {
			add: () => addRun(world, runner.job),
			all: async () => (await stores.executions.list(runner.user_id, {}, {...page, output_bytes: 10})).data,
			acts: {cancel: ({id}) => stores.executions.cancel(runner.user_id, id)},
		},
		chain: {
			add: () => addChain(world, chained),
			all: () => stores.chains.list(chained.user_id),
			acts: {
				delete: ({id}) => stores.chains.delete(chained.user_id, id),
				update: async ({id}) => {
					const found = await stores.chains.get(chained.user_id, id);
					if (found) await stores.chains.update(chained.user_id, {...found, name: 'changed'}, found.version);
				},
			},
		},
	};
};

/** What is done to the middle one of three changes it, and neither of its neighbours. */
const actOnOne =
	(make: (world: ContractWorld) => Promise<Neighbourhoods>): Contract['cases'][string] =>
	async (t, world) => {
		for (const [kind, {add, all, acts}] of Object.entries(await make(world))) {
			for (const [name, act] of Object.entries(acts)) {
				const [, middle] = [await add(), await add(), await add()];
				const before = await all();
				await act(middle);
				const after = await all();
				const others = (rows: readonly Row[]) => rows.filter(({id}) => id !== middle.id);
				t.deepEqual(others(after), others(before), `${kind}: ${name}`);
				t.is(others(before).length, before.length - 1, `${kind}: ${name}`);
			}
		}
	};

export const neighbours: Contract = {
	subject: 'records',
	cases: {
		'what is done to a key or a variable is done to no other one of its owner': actOnOne(ofAccounts),
		'what is done to a notification or a channel is done to no other one of its user': actOnOne(ofNotifications),
		'what is done to a server, a call or an approval is done to no other one of its team': actOnOne(ofMcp),
		'what is done to an endpoint or a step is done to no other one': actOnOne(ofWebhooks),
		'what is done to a job, an agent, a run or a chain is done to no other one of its owner': actOnOne(ofCron),
	},
};

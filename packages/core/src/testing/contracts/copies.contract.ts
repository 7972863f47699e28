import {buildServer} from '../builders/mcp.ts';
import type {Contract} from './contract.ts';

/** As JavaScript sees it, where nothing is read-only. */
type Writable<T> = {-readonly [K in keyof T]: Writable<T[K]>};

const writable = <T>(record: T): Writable<T> => record as Writable<T>;

export const copies: Contract = {
	subject: 'records',
	cases: {
		'what a caller does to a record it gave or got changes nothing in the store': async (t, world) => {
			const {user_id, team_id, team_ids} = await world.addTenant();
			const server = buildServer({user_id, team_id, forward_headers: ['x-trace']});
			const untouched = structuredClone(server);
			await world.stores.mcpServers.create(server, null);
			writable(server).forward_headers.push('given');
			const got = await world.stores.mcpServers.get(team_ids, server.id);
			if (got !== undefined) writable(got).forward_headers.push('got');
			for (const listed of await world.stores.mcpServers.list(team_id)) writable(listed).name = 'listed';
			t.deepEqual(await world.stores.mcpServers.get(team_ids, server.id), untouched);
		},
		'the same holds for the arguments of an approval': async (t, world) => {
			const owner = await world.addTenant();
			const request_body = {list: ['kept']};
			const {id} = await world.addApproval(await world.addServer(owner), {request_body});
			request_body.list.push('given');
			const got = await world.stores.approvals.get(owner, id);
			if (got !== undefined) got.request_body.list = 'got';
			for (const listed of await world.stores.approvals.list(owner, 'pending', 10)) listed.request_body.list = 'x';
			t.deepEqual((await world.stores.approvals.get(owner, id))?.request_body, {list: ['kept']});
		},
	},
};

import {defaultPlans, mostRoutingRules} from '@signalbox/core';
import type {Body} from '../../support/api.ts';
import {type Contest, crowd, type Told} from './contest.ts';
import type {RacingServers} from './racing-servers.ts';

/** A plan that bounds everything, and lets its users ask often enough to try it. */
const racedPlan = 'pro';

const plan = defaultPlans.find(({name}) => name === racedPlan);

type Limited = 'endpoints' | 'cron_jobs' | 'mcp_servers' | 'api_keys';

const nowhere = 'http://127.0.0.1:9/';

const limited: Readonly<Record<Limited, Readonly<{path: string; fields: Body}>>> = {
	endpoints: {path: '/v1/webhook/endpoints', fields: {name: 'Orders', destination_url: nowhere}},
	cron_jobs: {path: '/v1/cron-jobs', fields: {name: 'Back up', schedule: '0 3 * * *', command: './backup.sh'}},
	mcp_servers: {path: '/v1/mcp/servers', fields: {name: 'tools', target_url: nowhere}},
	api_keys: {path: '/v1/api-keys', fields: {name: 'script'}},
};

/** A refusal for another reason than the plan is none. */
const told = ({status, body}: Body): Told => ({
	status: status === 403 && body.error.code !== 'plan_limit_reached' ? 0 : status,
	...(body.id !== undefined && {id: body.id}),
});

const ofPlan = async (servers: RacingServers, what: Limited, ways: number): Promise<Contest> => {
	const racer = await servers.addRacer(racedPlan);
	const {path, fields} = limited[what];
	const most = plan?.[what] ?? 0;
	return {
		...{name: what, ways: crowd(ways, most), most, refusal: 403},
		ask: async (turn) => told(await racer.at(turn).post(path, fields)),
		kept: async () => {
			const {data, total = data.length} = (await racer.at(0).get(path)).body;
			return {listed: total};
		},
	};
};

const rulesOfEndpoint = async (servers: RacingServers, ways: number): Promise<Contest> => {
	const racer = await servers.addRacer();
	const {path, fields} = limited.endpoints;
	const {id} = (await racer.at(0).post(path, fields)).body;
	const rules = `${path}/${id}/routing-rules`;
	const rule = {name: 'all', destination_url: nowhere, is_active: true};
	return {
		...{name: 'routing rules', ways: crowd(ways, mostRoutingRules), most: mostRoutingRules, refusal: 409},
		ask: async (turn) => told(await racer.at(turn).post(rules, rule)),
		kept: async () => ({listed: (await racer.at(0).get(rules)).body.data.length}),
	};
};

/** For each number of things that a plan or an endpoint sets: many who make one more at once. */
export const planContests = async (servers: RacingServers, ways: number): Promise<readonly Contest[]> => [
	...(await Promise.all((Object.keys(limited) as Limited[]).map(async (what) => ofPlan(servers, what, ways)))),
	await rulesOfEndpoint(servers, ways),
];

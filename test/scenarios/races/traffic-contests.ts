import {defaultPlans} from '@signalbox/core';
import {changeRow} from '../../support/data-directory.ts';
import {engine} from '../../support/engine.ts';
import {toolCall} from '../../support/json-rpc-upstream.ts';
import type {CountingUpstream} from '../proxy/counting-upstream.ts';
import {type Contest, crowd, type Told} from './contest.ts';
import type {Racer, RacingServers} from './racing-servers.ts';

type World = Readonly<{servers: RacingServers; upstream: CountingUpstream; ways: number}>;

const planNamed = (name: string) => defaultPlans.find((plan) => plan.name === name);

/** Processes on one SQLite file count requests each for itself, on MariaDB together. */
const counters = engine === 'sqlite' ? 2 : 1;

/** Calls of two tools by turns: whoever sums up by tool waits at more than one row. */
const callOf = (turn: number, number: number) => toolCall(turn % 3 === 0 ? 'get_item' : 'delete_item', {number});

const addServer = async (racer: Racer, target_url: string, fields: object) =>
	(await racer.at(0).post('/v1/mcp/servers', {name: 'numbers', target_url, ...fields})).body;

/** What answers a stream is cut off: that it began says enough. */
const answerTo = async (origin: string, slug: string, call: object): Promise<Told> => {
	const headers = {'content-type': 'application/json', accept: 'application/json, text/event-stream'};
	const {status, body} = await fetch(`${origin}/p/${slug}`, {method: 'POST', headers, body: JSON.stringify(call)});
	await body?.cancel();
	return {status};
};

const ranOf = ({upstream}: World, numbers: readonly number[]): number =>
	numbers.filter((number) => upstream.executions(number) === 1).length;

/** Each call has a number that is nobody else's. */
const numbersFrom = (first: number, ways: number): readonly number[] =>
	Array.from({length: ways}, (_, index) => first + index);

const events = async (world: World): Promise<Contest> => {
	const {servers, ways} = world;
	const racer = await servers.addRacer('pro');
	const fields = {name: 'Orders', destination_url: 'http://127.0.0.1:9/'};
	const {id, slug} = (await racer.at(0).post('/v1/webhook/endpoints', fields)).body;
	const limit = planNamed('pro')?.events_per_month ?? 0;
	const most = Math.floor(ways / 2);
	const ask = async (turn: number): Promise<Told> => racer.at(turn).post(`/wh/${slug}`, {turn});
	await ask(0);
	const almost = `UPDATE webhook_event_counts SET events = ${limit - most} WHERE user_id = ?`;
	await changeRow(servers.directory, almost, racer.id);
	return {
		...{name: 'events of a month', ways, most, refusal: 429, ask},
		// One was there before the race.
		kept: async () => ({
			listed: (await racer.at(0).get(`/v1/webhook/events?endpoint_id=${id}`)).body.total - 1,
		}),
	};
};

/** Of one server. */
const mostPending = 100;

const pendingApprovals = async (world: World): Promise<Contest> => {
	const racer = await world.servers.addRacer();
	const approval_config = {enabled: true, trust_level: 'strict', ttl_seconds: 3600};
	const {slug} = await addServer(racer, world.upstream.url, {approval_config});
	return {
		...{name: 'pending approvals', ways: crowd(world.ways, mostPending), most: mostPending, refusal: 429},
		ask: async (turn) => answerTo(world.servers.originAt(turn), slug, callOf(turn, turn)),
		kept: async () => ({listed: (await racer.at(1).get('/v1/mcp/approvals')).body.data.length}),
	};
};

const budget = async (world: World): Promise<Contest> => {
	const racer = await world.servers.addRacer();
	const [default_cost_cents, most] = [7, Math.floor(world.ways / 3)];
	// A rest that is too little for one more.
	const budget_cents = most * default_cost_cents + default_cost_cents - 1;
	const rate_limit_config = {cost: {budget_cents}};
	const {id, slug} = await addServer(racer, world.upstream.url, {default_cost_cents, rate_limit_config});
	const numbers = numbersFrom(10_000, world.ways);
	return {
		...{name: 'budget', ways: world.ways, most, refusal: 429},
		ask: async (turn) => answerTo(world.servers.originAt(turn), slug, callOf(turn, numbers[turn] ?? 0)),
		kept: async () => {
			const {total_cents, tool_breakdown} = (await racer.at(0).get(`/v1/mcp/servers/${id}/costs`)).body;
			const calls = tool_breakdown.reduce((sum: number, tool: {call_count: number}) => sum + tool.call_count, 0);
			return {ran: ranOf(world, numbers), paid: total_cents / default_cost_cents, calls};
		},
	};
};

const callsPerMinute = async (world: World): Promise<Contest> => {
	const racer = await world.servers.addRacer();
	const [requests_per_minute, burst] = [20, 20];
	const {slug} = await addServer(racer, world.upstream.url, {rate_limit_config: {requests_per_minute, burst}});
	const most = counters * (requests_per_minute + burst);
	const ways = crowd(world.ways, most);
	const numbers = numbersFrom(20_000, ways);
	return {
		...{name: 'calls per minute', ways, most, refusal: 429},
		per_second: (counters * requests_per_minute) / 60,
		ask: async (turn) => answerTo(world.servers.originAt(turn), slug, callOf(turn, numbers[turn] ?? 0)),
		kept: async () => ({ran: ranOf(world, numbers)}),
	};
};

const requestsPerMinute = async ({servers, ways}: World): Promise<Contest> => {
	const racer = await servers.addRacer('free');
	const {api_requests_per_minute = 0, api_burst = 0} = planNamed('free') ?? {};
	const per_minute = api_requests_per_minute ?? 0;
	const most = counters * (per_minute + api_burst);
	return {
		...{name: 'requests per minute', ways: crowd(ways, most), most, refusal: 429},
		per_second: (counters * per_minute) / 60,
		ask: async (turn) => racer.at(turn).get('/v1/mcp/servers'),
	};
};

/** What comes in, what waits and what it costs. */
export const trafficContests = async (world: World): Promise<readonly Contest[]> =>
	Promise.all([events, pendingApprovals, budget, callsPerMinute, requestsPerMinute].map(async (make) => make(world)));

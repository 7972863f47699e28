import {setTimeout as pause} from 'node:timers/promises';
import type {Body} from '../../support/api.ts';
import {until} from '../../support/mcp/until.ts';
import {seededRandom} from '../../support/seeded-random.ts';
import {type CountingUpstream, startCountingUpstream} from '../proxy/counting-upstream.ts';
import {auditCalls, type Faults, storedApprovals} from '../proxy/durable-calls.ts';
import {callHeaders, numberedCall, type Seen} from '../proxy/interrupted-load.ts';
import {settleLeftovers} from '../proxy/leftovers.ts';
import {type Racer, type RacingServers, startRacingServers} from './racing-servers.ts';

export type DeathPlan = Readonly<{
	deaths: number;
	/** That are held at each of them. */
	calls: number;
	/** Of when they happen. */
	seed: number;
}>;

export type DeathReport = Readonly<{
	faults: Faults & Readonly<{stuck: readonly string[]; undecided: readonly number[]}>;
	/** How many calls each end was for. */
	ends: Readonly<{
		answered: number;
		/** Sent, and nobody was there any more to answer. */
		ran_unanswered: number;
		/** Let run by a process that died before it was sent. */
		never_ran: number;
		/** Granted, and left to the next identical call, which ran once. */
		left_granted: number;
	}>;
	unknown_outcomes: number;
}>;

/** A process is killed within that many milliseconds after the first decision: some time after it has heard of all. */
const withinMs = 600;

/** The one that dies, where the callers are, and the one that lives, where a person decides. */
const [mortal, survivor] = [0, 1];

type World = Readonly<{
	servers: RacingServers;
	racer: Racer;
	slug: string;
	answered: Map<number, string>;
	cut: Set<number>;
	undecided: number[];
	random(): number;
}>;

const call = async ({servers, slug, answered, cut}: World, number: number): Promise<void> => {
	const url = `${servers.originAt(mortal)}/p/${slug}`;
	try {
		const answer = await fetch(url, {method: 'POST', headers: callHeaders, body: numberedCall(number)});
		answered.set(number, await answer.text());
	} catch {
		cut.add(number);
	}
};

const approve = async ({racer, undecided}: World, {id, request_body}: Body): Promise<void> => {
	const {status} = await racer.at(survivor).post(`/v1/mcp/approvals/${id}/approve`, {});
	if (status !== 200) undecided.push(request_body.number);
};

/** Calls wait in one process, are approved one by one over the other, and meanwhile the first one is killed. */
const dieOnce = async (world: World, numbers: readonly number[]): Promise<void> => {
	const {servers, racer} = world;
	const calling = numbers.map(async (number) => call(world, number));
	const pending = await until(async () => {
		const {data} = (await racer.at(survivor).get('/v1/mcp/approvals')).body;
		return data.length === numbers.length && data;
	}, 'the approvals');
	const dying = pause(world.random() * withinMs).then(async () => servers.end(mortal, 'SIGKILL'));
	for (const approval of pending) await approve(world, approval);
	await dying;
	await Promise.all(calling);
	await servers.start(mortal);
};

const prepare = async (servers: RacingServers, {url}: CountingUpstream, seed: number): Promise<World> => {
	const racer = await servers.addRacer();
	const approval_config = {enabled: true, trust_level: 'strict', ttl_seconds: 3600};
	const fields = {name: 'numbers', target_url: url, approval_config};
	const {slug} = (await racer.at(survivor).post('/v1/mcp/servers', fields)).body;
	return {servers, racer, slug, answered: new Map(), cut: new Set(), undecided: [], random: seededRandom(seed)};
};

const report = async (world: World, {executions}: CountingUpstream): Promise<DeathReport> => {
	const {servers, racer, slug, answered, cut, undecided} = world;
	const {directory} = servers;
	const url = `${servers.originAt(survivor)}/p/${slug}`;
	const {used, stuck} = await settleLeftovers({directory, url, api: racer.at(survivor), executions});
	await Promise.all([servers.end(mortal, 'SIGTERM'), servers.end(survivor, 'SIGTERM')]);
	const seen: Seen = {answered, cut, refused: new Set()};
	const {faults, unknown_outcomes} = await auditCalls(directory, seen, executions);
	const ran = [...cut].filter((number) => executions(number) > 0).length;
	const never_ran = (await storedApprovals(directory)).filter(({number}) => executions(number) === 0).length;
	return {
		faults: {...faults, stuck, undecided},
		ends: {answered: answered.size, ran_unanswered: ran - used, never_ran, left_granted: used},
		unknown_outcomes,
	};
};

/** Kills, again and again, the process that holds calls which are approved over another one. Takes half a minute more. */
export const dieHolding = async ({deaths, calls, seed}: DeathPlan): Promise<DeathReport> => {
	const upstream = await startCountingUpstream();
	const servers = await startRacingServers();
	try {
		const world = await prepare(servers, upstream, seed);
		const numbers = Array.from({length: deaths * calls}, (_, index) => index + 1);
		for (let death = 0; death < deaths; death += 1)
			await dieOnce(world, numbers.slice(death * calls, (death + 1) * calls));
		return await report(world, upstream);
	} finally {
		await servers.close();
		await upstream.close();
	}
};

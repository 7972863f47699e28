import {setTimeout as pause} from 'node:timers/promises';
import {createApi, registerPerson} from '../../support/api.ts';
import {countIn} from '../../support/data-directory.ts';
import {until} from '../../support/mcp/until.ts';
import type {RestartableServer} from '../../support/restartable-server.ts';
import {seededRandom} from '../../support/seeded-random.ts';
import {type ServerFleet, startServerFleet} from '../../support/server-fleet.ts';
import {type Audit, auditWebhooks} from './durable-webhooks.ts';
import {startNumberedDestination} from './numbered-destination.ts';
import {type MortalDatabase, strike} from './outages.ts';
import {type StubbornSenders, startSenders} from './stubborn-senders.ts';

export type CrashPlan = Readonly<{
	/** How many servers share the database. */
	servers: number;
	/** How often one of them is killed, at moments that the seed says. */
	kills: number;
	/** At least so many milliseconds apart. */
	apart: number;
	/** Whether all are at last, which ends what dead ones held: otherwise it is due when its lease is over. */
	all_at_last: boolean;
	/** How many webhooks are accepted meanwhile. */
	webhooks: number;
	seed: number;
}>;

export type Outages = Readonly<{
	/** How often the database of the servers is killed. */
	outages: number;
	database: MortalDatabase;
}>;

export type CrashReport = Audit &
	Readonly<{
		accepted: number;
		cut: number;
		refused: number;
		/** How long it took after each outage until all servers were ready again. Milliseconds. */
		readiness: readonly number[];
		/** How long it took after the last start until nothing waited any more. Milliseconds. */
		recovery: number;
		/** Of the servers, when they were told to end. */
		exit_codes: readonly (number | null)[];
	}>;

const destinations = 4;
const aDay = 86_400;

/** An endpoint for each destination that drops what was sent again. */
const prepare = async (origin: string, urls: readonly string[]) => {
	const {api} = await registerPerson(createApi(origin));
	const add = async (destination_url: string): Promise<string> => {
		const {id, slug} = (await api.post('/v1/webhook/endpoints', {name: 'numbers', destination_url})).body;
		const config = {key: 'body.number', ttl: aDay};
		await api.post(`/v1/webhook/endpoints/${id}/middlewares`, {type: 'deduplicate', name: 'once', config});
		return slug;
	};
	return {slugs: await Promise.all(urls.map(add))};
};

const unfinished = async (directory: string): Promise<number> =>
	countIn(directory, "SELECT COUNT(*) AS count FROM webhook_deliveries WHERE status IN ('pending', 'retrying')");

/** Kills it, and starts it again as whatever looks after servers does: while the database is away none starts. */
const killOnce = async (server: RestartableServer | undefined): Promise<void> => {
	await server?.end('SIGKILL');
	await until(async () => {
		try {
			await server?.start();
			return true;
		} catch {
			return pause(100, false);
		}
	}, 'the start');
};

/** Kills one of them, in turn, within each share of the webhooks. */
const killAtRandom = async ({servers}: ServerFleet, senders: StubbornSenders, plan: CrashPlan): Promise<void> => {
	const random = seededRandom(plan.seed);
	const share = plan.webhooks / plan.kills;
	for (let kill = 0; kill < plan.kills; kill += 1) {
		const apart = pause(plan.apart);
		senders.allow(Math.round((kill + 1) * share));
		const enough = Math.round((kill + random()) * share);
		await until(() => senders.accepted.length >= enough, 'the load');
		await pause(random() * 30);
		await killOnce(servers[kill % servers.length]);
		await apart;
	}
};

/** Kills the database within each share of the webhooks. @returns how long it took each time until all were ready again. */
const strikeAtRandom = async (
	fleet: ServerFleet,
	senders: StubbornSenders,
	{webhooks, outages, database, seed}: CrashPlan & Outages,
): Promise<readonly number[]> => {
	const random = seededRandom(seed);
	const took: number[] = [];
	while (took.length < outages) {
		const enough = ((took.length + random()) * webhooks) / outages;
		await until(() => senders.accepted.length >= enough, 'the load', 300_000);
		took.push(await strike(fleet, database, random));
	}
	return took;
};

const recover = async ({directory, servers}: ServerFleet, {all_at_last}: CrashPlan): Promise<number> => {
	if (all_at_last) {
		await Promise.all(servers.map(async ({end}) => end('SIGKILL')));
		await Promise.all(servers.map(async ({start}) => start()));
	}
	const began = performance.now();
	await until(() => pause(100).then(async () => (await unfinished(directory)) === 0), 'the delivery of all', 180_000);
	return performance.now() - began;
};

/** Kills servers again and again while webhooks come in and go out, and lets them end what they took. */
export const crashWebhooks = async (plan: CrashPlan, outages?: Outages): Promise<CrashReport> => {
	const destination = await startNumberedDestination(destinations);
	const fleet = await startServerFleet(plan.servers, (origin) => prepare(origin, destination.urls));
	try {
		const senders = startSenders(fleet, fleet.slugs);
		const striking = outages && strikeAtRandom(fleet, senders, {...plan, ...outages});
		const [readiness = []] = await Promise.all([striking, killAtRandom(fleet, senders, plan)]);
		await senders.end();
		const recovery = await recover(fleet, plan);
		const exit_codes = await fleet.end();
		const audit = await auditWebhooks(fleet.directory, senders.accepted, destination);
		const {accepted, cut, refused} = senders;
		return {...audit, accepted: accepted.length, cut: cut(), refused: refused(), readiness, recovery, exit_codes};
	} finally {
		await fleet.close();
		await destination.close();
	}
};

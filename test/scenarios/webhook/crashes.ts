import {setTimeout as pause} from 'node:timers/promises';
import {createApi, registerPerson} from '../../support/api.ts';
import {rowsOf, withDatabase} from '../../support/database-file.ts';
import {until} from '../../support/mcp/until.ts';
import {type RestartableServer, startRestartableServer} from '../../support/restartable-server.ts';
import {seededRandom} from '../../support/seeded-random.ts';
import {type Audit, auditWebhooks} from './durable-webhooks.ts';
import {startNumberedDestination} from './numbered-destination.ts';
import {type StubbornSenders, startSenders} from './stubborn-senders.ts';

export type CrashPlan = Readonly<{
	/** How often the server is killed, at moments that the seed says. */
	kills: number;
	/** How many webhooks are accepted meanwhile. */
	webhooks: number;
	seed: number;
}>;

export type CrashReport = Audit &
	Readonly<{
		accepted: number;
		cut: number;
		refused: number;
		/** How long it took after the last start until nothing waited any more. Milliseconds. */
		recovery: number;
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

const unfinished = (file: string): number =>
	withDatabase(file, (database) =>
		Number(
			rowsOf(database, "SELECT COUNT(*) AS count FROM webhook_deliveries WHERE status IN ('pending', 'retrying')")[0]
				?.count,
		),
	);

/** Kills it once within each share of the webhooks. */
const killAtRandom = async (server: RestartableServer, senders: StubbornSenders, plan: CrashPlan): Promise<void> => {
	const random = seededRandom(plan.seed);
	const share = plan.webhooks / plan.kills;
	for (let kill = 0; kill < plan.kills; kill += 1) {
		senders.allow(Math.round((kill + 1) * share));
		const enough = Math.round((kill + random()) * share);
		await until(() => senders.accepted.length >= enough, 'the load');
		await pause(random() * 30);
		await server.end('SIGKILL');
		await server.start();
	}
};

const recover = async ({database}: RestartableServer): Promise<number> => {
	const began = performance.now();
	await until(() => pause(100).then(() => unfinished(database) === 0), 'the delivery of all', 180_000);
	return performance.now() - began;
};

/** Kills a server again and again while webhooks come in and go out, and lets it end what it took. */
export const crashWebhooks = async (plan: CrashPlan): Promise<CrashReport> => {
	const destination = await startNumberedDestination(destinations);
	const server = await startRestartableServer((origin) => prepare(origin, destination.urls));
	try {
		const senders = startSenders(server, server.slugs);
		await killAtRandom(server, senders, plan);
		await senders.end();
		const recovery = await recover(server);
		await server.end('SIGTERM');
		const audit = auditWebhooks(server.database, senders.accepted, destination);
		const {accepted, cut, refused} = senders;
		return {...audit, accepted: accepted.length, cut: cut(), refused: refused(), recovery};
	} finally {
		await server.close();
		await destination.close();
	}
};

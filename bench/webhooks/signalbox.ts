import {setTimeout as pause} from 'node:timers/promises';
import type {EngineName} from '../engine.ts';
import {makeDirectory, removeDirectory} from '../proxy/processes.ts';
import {libraryOf, post, startServer} from '../proxy/signalbox.ts';
import {openRecords, type Records} from '../records.ts';
import {repository, secret} from './message.ts';
import type {Sink} from './sink-process.ts';
import type {Contestant, Counted, Target, TargetName} from './target.ts';

export type SignalboxOptions = Readonly<{
	/** Where the server keeps its database: a disk. */
	directory: string;
	engine: EngineName;
	/** How Node is started for it. */
	flags: readonly string[];
	sink: Sink;
}>;

type Endpoint = Readonly<{id: string; url: string}>;

/** Makes an endpoint with a rule for each destination, by the repository in the body. */
const createMaker = async (base_url: string, hook_url: string) => {
	const account = {email: 'bench@example.com', password: 'a long password'};
	const {access_token} = await post(`${base_url}/v1/auth/register`, account);
	const headers = {authorization: `Bearer ${access_token}`};
	return async (routing_mode: string, destinations: readonly string[], wanted = repository): Promise<Endpoint> => {
		const [destination_url = 'http://127.0.0.1:1'] = destinations;
		const verification = {type: 'github', secret};
		const settings = {name: 'bench', routing_mode, destination_url, verification};
		const {id, slug} = await post(`${base_url}/v1/webhook/endpoints`, settings, headers);
		const condition = {
			condition_source: 'body',
			condition_field: '$.repository.full_name',
			condition_operator: 'equals',
		};
		for (const destination of destinations) {
			const rule = {
				name: 'bench',
				destination_url: destination,
				is_active: true,
				...condition,
				condition_value: wanted,
			};
			await post(`${base_url}/v1/webhook/endpoints/${id}/routing-rules`, rule, headers);
		}
		return {id, url: `${hook_url}/wh/${slug}`};
	};
};

const settled = `SELECT count(*) AS events, coalesce(sum(status NOT IN ('delivered', 'unmatched')), 0) AS open_events
	FROM webhook_events WHERE endpoint_id = ?`;
const counts = `SELECT
	(SELECT count(*) FROM webhook_deliveries) AS deliveries,
	(SELECT count(*) FROM webhook_deliveries WHERE status <> 'delivered' OR attempt_count <> 1) AS odd,
	(SELECT count(*) FROM webhook_attempts WHERE status_code = 200 AND length(response_body) > 0) AS attempts`;

const patience = 100;

/** Reads the records of a running server, as another process. */
const openAudit = ({read, close}: Records) => {
	/** The answer to the last attempt is there before its record is. */
	const untilSettled = async (id: string): Promise<number> => {
		for (let tries = 0; tries < patience; tries += 1) {
			const {events, open_events} = await read<Readonly<{events: number; open_events: number}>>(settled, [id]);
			if (open_events === 0) return events;
			await pause(100);
		}
		throw new Error('ours: not every event is delivered on record');
	};
	return {
		of: (id: string) => {
			let known = 0;
			return async ({accepted, connections}: Counted): Promise<void> => {
				const events = await untilSettled(id);
				const added = events - known;
				known = events;
				// A probe comes before the first load, and what was on its way at the end of one is not counted.
				if (added < accepted || added > accepted + connections + 1)
					throw new Error(`ours: ${added} events on record, ${accepted} answered`);
				const {deliveries, odd, attempts} =
					await read<Readonly<Record<'deliveries' | 'odd' | 'attempts', number>>>(counts);
				if (odd !== 0 || attempts !== deliveries)
					throw new Error(`ours: ${deliveries} deliveries, ${attempts} attempts, ${odd} that went otherwise`);
			};
		},
		close,
	};
};

const namesOn = {
	sqlite: {one: 'ours', three: 'ours, fan-out 3', alone: 'ours, accept alone'},
	mariadb: {one: 'ours on MariaDB', three: 'ours on MariaDB, fan-out 3', alone: 'ours on MariaDB, accept alone'},
} as const;

/** The reference server as `npm start` runs it, over a fresh database. */
export const startSignalbox = async ({directory, engine, flags, sink}: SignalboxOptions): Promise<Contestant> => {
	const dataDir = makeDirectory(directory);
	const records = await openRecords(engine, dataDir);
	const server = await startServer(flags, dataDir, records.variables);
	const {base_url, hook_url} = server.told;
	const make = await createMaker(base_url, hook_url);
	const audit = openAudit(records);
	const [first] = sink.origins;
	const names = namesOn[engine];
	const target = async (name: TargetName, fanOut: number, endpoint: Promise<Endpoint>): Promise<Target> => {
		const {id, url} = await endpoint;
		return {name, url, pid: server.pid, fanOut, audit: audit.of(id)};
	};
	const everywhere = sink.origins.map((origin) => `${origin}/hook`);
	return {
		version: engine === 'sqlite' ? libraryOf(server.pid) : engine,
		targets: [
			await target(names.one, 1, make('first_match', [`${first}/hook`])),
			await target(names.three, 3, make('all_match', everywhere)),
			await target(names.alone, 0, make('first_match', [`${first}/hook`], 'another/repository')),
		],
		paced: {name: names.one, url: (await make('first_match', [`${first}/paced`])).url},
		stop: async () => {
			await server.stop('SIGTERM');
			await audit.close();
			removeDirectory(dataDir);
			if (server.child.exitCode !== 0) throw new Error(`the server ended with ${server.child.exitCode}`);
		},
	};
};

import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createApi, type Person} from '../support/api.ts';
import {mariadbIsMissing} from '../support/mariadb.ts';
import {addBigTenant} from '../support/million-rows/big-tenant.ts';
import {listRequests} from '../support/million-rows/list-requests.ts';
import {makeMariadbPlace} from '../support/million-rows/mariadb-place.ts';
import {seed} from '../support/million-rows/seed.ts';
import {openMariadbSeed, openSqliteSeed, type SeedEngine} from '../support/million-rows/seed-engine.ts';
import {million, type Originals} from '../support/million-rows/seed-numbers.ts';
import {runServer, type ServerRun} from '../support/server-process.ts';

/** Milliseconds that an answer may take: the median of some. */
const most = 100;
const repetitions = 7;

/** A database of its own, and how a server gets at it. */
type Place = Readonly<{
	run(): Promise<ServerRun>;
	openSeed(): Promise<SeedEngine>;
	remove(): Promise<void>;
}>;

const onSqlite = async (): Promise<Place> => {
	const directory = await mkdtemp(join(tmpdir(), 'signalbox-million-'));
	return {
		run: async () => runServer(directory),
		openSeed: async () => openSqliteSeed(join(directory, 'signalbox.db')),
		remove: async () => rm(directory, {recursive: true, force: true}),
	};
};

const onMariadb = async (): Promise<Place> => {
	const {url, ...place} = await makeMariadbPlace();
	return {...place, openSeed: async () => openMariadbSeed(url)};
};

const fill = async (place: Place, of: Originals): Promise<void> => {
	const began = performance.now();
	const engine = await place.openSeed();
	const found = await seed(engine, of, million);
	await engine.settle();
	await engine.close();
	const rows = Object.values(found).reduce((sum, count) => sum + count, 0);
	const seconds = ((performance.now() - began) / 1000).toFixed(0);
	console.log(`${engine.name}: ${rows} rows in ${seconds} s: ${JSON.stringify(found)}`);
};

type Timed = Readonly<{path: string; median: number; worst: number}>;

const time = async (path: string, read: (path: string) => Promise<void>): Promise<Timed> => {
	const times: number[] = [];
	for (let n = 0; n < repetitions; n += 1) {
		const began = performance.now();
		await read(path);
		times.push(performance.now() - began);
	}
	times.sort((a, b) => a - b);
	return {path, median: times[Math.floor(repetitions / 2)] ?? 0, worst: times.at(-1) ?? 0};
};

/** Past the client of the tests, which holds each answer against the document. */
const reader = (origin: string, headers: Record<string, string>) => async (path: string) => {
	const answer = await fetch(new URL(path, origin), {headers});
	await answer.arrayBuffer();
	if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
};

const measure = async ({origin}: ServerRun, {email, password}: Person, of: Originals): Promise<readonly Timed[]> => {
	const api = createApi(origin);
	const {access_token} = (await api.post('/v1/auth/login', {email, password})).body;
	const headers = {authorization: `Bearer ${access_token}`};
	const timed: Timed[] = [];
	for await (const path of listRequests(async (each) => (await api.get(each, headers)).body, of)) {
		const one = await time(path, reader(origin, headers));
		const [median, worst] = [one.median, one.worst].map((ms) => ms.toFixed(1).padStart(7));
		console.log(`${median} ms, at worst ${worst} ms  ${one.median < most ? '    ' : 'LATE'}  GET ${path}`);
		timed.push(one);
	}
	return timed;
};

const tortureOn = async (place: Place): Promise<readonly Timed[]> => {
	try {
		const {person, of} = await addBigTenant(place.run);
		await fill(place, of);
		const server = await place.run();
		return await measure(server, person, of).finally(async () => server.end('SIGTERM'));
	} finally {
		await place.remove();
	}
};

const choosePlaces = async () => {
	const missing = await mariadbIsMissing();
	if (missing !== undefined) console.log(missing);
	const onlyMariadb = process.env.DATABASES === 'mariadb';
	return [...(onlyMariadb ? [] : [onSqlite]), ...(missing === undefined ? [onMariadb] : [])];
};

/**
 * Every list and every metric, of a tenant with most of 1,000,000 rows, in each way that it may be asked for, on the
 * engines that DATABASES names.
 */
export const tortureMillionRows = async (): Promise<void> => {
	const places = await choosePlaces();
	const late: Timed[] = [];
	for (const open of places) late.push(...(await tortureOn(await open())).filter(({median}) => median >= most));
	if (late.length > 0) throw new Error(`${late.length} answers took ${most} ms or more`);
};

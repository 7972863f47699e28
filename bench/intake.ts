/**
 * Webhooks per second that the store accepts, each with its delivery leased, and deliveries per second that it settles,
 * durable before the promise resolves: 1 and 32 writers, bodies of 10 KB, on SQLite and MariaDB, in rounds that alternate,
 * each in a process of its own. Printed are the medians, and what one costs the thread that asks and all other threads
 * together, MariaDB's own not included.
 */
import {execFile} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import type {SqlDatabase} from '@signalbox/adapters-sql';
import {instantOf, type LeasedDelivery} from '@signalbox/core';
import {createIds} from '@signalbox/core/node';
import {
	buildAcceptable,
	buildAccount,
	buildEndpoint,
	buildPlannedDelivery,
	buildSettlement,
} from '@signalbox/core/testing';
import {type Engine, measurable, withDatabase} from './engine.ts';
import {withOwnMariadb} from './own-mariadb.ts';
import {median, quantile} from './quantile.ts';

const rounds = 5;
const engines: readonly Engine[] = ['node:sqlite', 'mariadb'];
const loads = [
	{writers: 1, events: 500},
	{writers: 32, events: 10_000},
];

type Load = (typeof loads)[number];

/** Microseconds of CPU are per item; milliseconds are until durable. */
type Figures = Readonly<{per_s: number; p50_ms: number; p99_ms: number; main_us: number; others_us: number}>;

const ids = createIds();
const body = new TextEncoder().encode(JSON.stringify({text: 'x'.repeat(10_000)}));
const headers = Array.from({length: 16}, (_, index) => [`X-Header-${index}`, 'some value of a header'] as const);
const steps = Array.from({length: 3}, (_, index) => ({
	middleware_id: ids.next(),
	name: `Step ${index}`,
	type: 'filter' as const,
	outcome: 'passed' as const,
	message: 'The condition does not hold: the field is another.',
}));
const trace = {
	pipeline: {outcome: 'passed' as const, delay_seconds: 0, steps, result: {}},
	routing: {routing_mode: 'first_match' as const, destinations: [], rules: []},
};

const registerEndpoint = async ({stores}: SqlDatabase) => {
	const {user, team} = buildAccount();
	await stores.users.create({user, team});
	const endpoint = buildEndpoint({user_id: user.id, team_id: team.id});
	await stores.endpoints.create(endpoint, null);
	return endpoint;
};

type Endpoint = Awaited<ReturnType<typeof registerEndpoint>>;

const acceptOne = async ({stores}: SqlDatabase, endpoint: Endpoint): Promise<readonly LeasedDelivery[]> => {
	const created_at = instantOf(Date.now());
	const deliveries = [buildPlannedDelivery({id: ids.next()})];
	const event = {id: ids.next(), created_at, body, headers, trace};
	const attempts = {ids: [ids.next()], per_destination: 1_000_000, lease_seconds: 60};
	const accepted = await stores.intake.accept(buildAcceptable({endpoint, event, outcome: {deliveries}}), attempts);
	return accepted.outcome === 'accepted' ? accepted.leased : [];
};

const cpu = () => {
	const [main, all] = [process.threadCpuUsage(), process.cpuUsage()];
	return {main: main.user + main.system, all: all.user + all.system};
};

/** Works items off with that many writers at once. */
const measure = async (items: number, writers: number, work: () => Promise<void>): Promise<Figures> => {
	const times: number[] = [];
	let left = items;
	const write = async () => {
		while (left > 0) {
			left -= 1;
			const begun = performance.now();
			await work();
			times.push(performance.now() - begun);
		}
	};
	const [before, begun] = [cpu(), performance.now()];
	await Promise.all(Array.from({length: writers}, write));
	const [seconds, after] = [(performance.now() - begun) / 1000, cpu()];
	const main = after.main - before.main;
	return {
		per_s: items / seconds,
		p50_ms: quantile(times, 0.5),
		p99_ms: quantile(times, 0.99),
		main_us: main / items,
		others_us: (after.all - before.all - main) / items,
	};
};

type Round = Readonly<{accept: Figures; settle: Figures}>;

/** So few leases hold at once as never more than a few destinations have. */
const slice = 250;

const runSlice = async (database: SqlDatabase, endpoint: Endpoint, writers: number): Promise<Round> => {
	const leased: LeasedDelivery[] = [];
	const accept = await measure(slice, writers, async () => {
		leased.push(...(await acceptOne(database, endpoint)));
	});
	const settle = await measure(leased.length, writers, async () => {
		const next = leased.pop();
		if (next !== undefined) await database.stores.deliveries.settle(buildSettlement({leased: next}));
	});
	return {accept, settle};
};

const meanOf = (figures: readonly Figures[]): Figures => {
	const mean = (name: keyof Figures) => figures.reduce((sum, each) => sum + each[name], 0) / figures.length;
	const per_s = figures.length / figures.reduce((sum, each) => sum + 1 / each.per_s, 0);
	return {
		per_s,
		p50_ms: mean('p50_ms'),
		p99_ms: mean('p99_ms'),
		main_us: mean('main_us'),
		others_us: mean('others_us'),
	};
};

const runRound = async (engine: Engine, {writers, events}: Load): Promise<Round> =>
	withDatabase(engine, async (database) => {
		const endpoint = await registerEndpoint(database);
		for (let turn = 0; turn < 50; turn += 1) await acceptOne(database, endpoint);
		const rounds: Round[] = [];
		while (rounds.length * slice < events) rounds.push(await runSlice(database, endpoint, writers));
		const mean = (kind: keyof Round) => meanOf(rounds.map((each) => each[kind]));
		return {accept: mean('accept'), settle: mean('settle')};
	});

const runApart = async (engine: Engine, load: Load): Promise<Round> => {
	const argv = ['--conditions=@signalbox/source', fileURLToPath(import.meta.url), engine, JSON.stringify(load)];
	const {stdout} = await promisify(execFile)(process.execPath, argv);
	return JSON.parse(stdout) as Round;
};

const show = (title: string, figures: readonly Figures[]): void => {
	const of = (name: keyof Figures, digits: number) => median(figures.map((each) => each[name])).toFixed(digits);
	const cost = `${of('main_us', 0)} us of the asking thread, ${of('others_us', 0)} us of others`;
	const delay = `p50 ${of('p50_ms', 2)} ms, p99 ${of('p99_ms', 2)} ms`;
	console.log(`${title}: ${of('per_s', 0)} a second, ${delay}, one costs ${cost}`);
};

const compare = async (): Promise<void> => {
	const figures = new Map<string, Figures[]>();
	const chosen = await measurable(engines);
	for (let round = 0; round < rounds; round += 1) {
		for (const load of loads) {
			for (const engine of chosen) {
				for (const [kind, figure] of Object.entries(await runApart(engine, load))) {
					const title = `${engine}, ${kind}, ${load.writers} writers`;
					figures.set(title, [...(figures.get(title) ?? []), figure]);
				}
			}
		}
	}
	for (const [title, each] of figures) show(title, each);
};

const [engine, load] = process.argv.slice(2);
if (engine && load) console.log(JSON.stringify(await runRound(engine as Engine, JSON.parse(load) as Load)));
else await withOwnMariadb(compare);

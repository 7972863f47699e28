/**
 * Patterns and paths that were made to take long, through the server: which are refused when they are written, and what the
 * p99 of a health check is while webhooks run through the others, one a second, against the same webhooks through
 * ordinary filters. Interleaved rounds (`--rounds 3`), medians.
 */
import {once} from 'node:events';
import {setTimeout as pause} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {Worker} from 'node:worker_threads';
import {type EvilCase, evilPaths, evilPatterns} from '@signalbox/core/testing';
import {type Api, createApi, registerPerson} from '../test/support/api.ts';
import {median, quantile} from './quantile.ts';
import {runBench, whole} from './run-bench.ts';
import {startServerProcess} from './server-process.ts';

/** `every`: milliseconds between two webhooks. */
type Options = Readonly<{rounds: number; every: number}>;

const goal = 1.5;
/** What a server takes unless told otherwise. Bytes. */
const largest = 1024 * 1024;

type Sent = Readonly<{asked: string; slug: string; body: Buffer}>;

const filterOf = (kind: 'pattern' | 'path', asked: string) =>
	kind === 'pattern'
		? {field: 'body', operator: 'matches', value: asked}
		: {field: asked, operator: 'equals', value: 'b'};

const ordinary = {pattern: 'no such words', path: '$.no.such.field'} as const;

/** The slug of an endpoint with that filter and nowhere to go; undefined when the filter is refused. */
const addEndpoint = async (api: Api, filter: object): Promise<string | undefined> => {
	const fields = {name: 'Evil', destination_url: 'https://hooks.example/', routing_mode: 'all_match'};
	const {id, slug} = (await api.post('/v1/webhook/endpoints', fields)).body;
	const step = {type: 'filter', name: 'Evil', config: filter};
	const {status, text} = await api.post(`/v1/webhook/endpoints/${id}/middlewares`, step);
	if (status !== 201 && status !== 400) throw new Error(text);
	return status === 201 ? slug : undefined;
};

const cases: readonly (EvilCase & Readonly<{kind: 'pattern' | 'path'}>)[] = [
	...evilPatterns.map((each) => ({...each, kind: 'pattern' as const})),
	...evilPaths.map((each) => ({...each, kind: 'path' as const})),
];

const prepare = async (api: Api) => {
	const [evil, plain, refused]: [Sent[], Sent[], string[]] = [[], [], []];
	const plainSlugs = {
		pattern: await addEndpoint(api, filterOf('pattern', ordinary.pattern)),
		path: await addEndpoint(api, filterOf('path', ordinary.path)),
	};
	for (const {asked, text, kind} of cases) {
		const slug = await addEndpoint(api, filterOf(kind, asked));
		const body = Buffer.from(text()).subarray(-largest);
		if (slug === undefined) refused.push(asked);
		else {
			evil.push({asked, slug, body});
			plain.push({asked, slug: plainSlugs[kind] ?? '', body});
		}
	}
	return {evil, plain, refused};
};

const probe = (url: string) => {
	const worker = new Worker(new URL('./health-prober.ts', import.meta.url), {workerData: {url}});
	return {
		end: async (): Promise<readonly number[]> => {
			worker.postMessage('end');
			const [taken] = await once(worker, 'message');
			return taken;
		},
	};
};

const send = async (origin: string, {slug, body}: Sent): Promise<number> => {
	const start = performance.now();
	const answer = await fetch(`${origin}/wh/${slug}`, {method: 'POST', body: new Uint8Array(body)});
	if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`);
	await answer.arrayBuffer();
	return performance.now() - start;
};

type Round = Readonly<{p99: number; slowest: Readonly<{asked: string; ms: number}>}>;

const measure = async (origin: string, webhooks: readonly Sent[], every: number): Promise<Round> => {
	const prober = probe(`${origin}/healthz`);
	let slowest = {asked: '', ms: 0};
	for (const webhook of webhooks) {
		const start = performance.now();
		const ms = await send(origin, webhook);
		if (ms > slowest.ms) slowest = {asked: webhook.asked, ms};
		await pause(Math.max(0, start + every - performance.now()));
	}
	return {p99: quantile(await prober.end(), 0.99), slowest};
};

const p99Of = (results: readonly Round[]): number => median(results.map(({p99}) => p99));

const measureRounds = async (baseUrl: string, {rounds, every}: Options): Promise<void> => {
	const {api} = await registerPerson(createApi(baseUrl));
	const {evil, plain, refused} = await prepare(api);
	const [beside, quiet]: [Round[], Round[]] = [[], []];
	for (let round = 0; round < rounds; round += 1) {
		quiet.push(await measure(baseUrl, plain, every));
		beside.push(await measure(baseUrl, evil, every));
	}
	const [worst] = beside.map(({slowest}) => slowest).toSorted((a, b) => b.ms - a.ms);
	const ratio = p99Of(beside) / p99Of(quiet);
	console.log(
		`${refused.length} of ${cases.length} are refused when they are written: ${refused.map((each) => each.slice(0, 30)).join('   ')}`,
	);
	console.log(`the slowest webhook took ${worst?.ms.toFixed(0)} ms: ${worst?.asked.slice(0, 60)}`);
	console.log(
		`health check p99: ordinary ${p99Of(quiet).toFixed(2)} ms, evil ${p99Of(beside).toFixed(2)} ms, ${ratio.toFixed(2)} x (goal: under ${goal})`,
	);
	process.exitCode = ratio < goal ? 0 : 1;
};

await runBench<Options>({
	usage: 'npm run bench:evil-server -- [--rounds 3] [--every 1000]',
	readOptions: (args) => {
		const options = {rounds: {type: 'string', default: '3'}, every: {type: 'string', default: '1000'}} as const;
		const {rounds, every} = parseArgs({args: [...args], options}).values;
		return {rounds: whole('rounds', rounds), every: whole('every', every)};
	},
	run: async (options) => {
		const server = await startServerProcess();
		try {
			await measureRounds(server.baseUrl, options);
		} finally {
			await server.stop();
		}
	},
});

import assert from 'node:assert/strict';
import {once} from 'node:events';
import {setTimeout as pause} from 'node:timers/promises';
import {Worker} from 'node:worker_threads';
import {median, quantile} from '../../bench/quantile.ts';
import {badDestinations} from '../scenarios/webhook/bad-destinations.ts';
import {type Api, createApi, registerPerson} from '../support/api.ts';
import {makeDataDirectory, removeDataDirectory} from '../support/data-directory.ts';
import {listen} from '../support/mcp/listen.ts';
import {runServer} from '../support/server-process.ts';

const rounds = 3;
/** Further rounds of what looks slower: of 200 webhooks two decide on the p99, and one stop of the machine hits as many. */
const roundsMore = 6;
/** Webhooks to the good destination that are measured in each round, and how many milliseconds lie between two. */
const measured = 200;
const every = 10;
/** Webhooks that bad destinations have before the clock runs, and how many go to the good one for each that they get. */
const ahead = 40;
const oneIn = 5;
const goal = 2;

type Endpoint = Readonly<{accept(body?: string): Promise<void>; remove(): Promise<void>}>;

const addEndpoint = async (api: Api, origin: string, destination_url: string): Promise<Endpoint> => {
	const fields = {name: 'Torture', destination_url, retry_config: {max_retries: 20, intervals: [5]}};
	const {id, slug} = (await api.post('/v1/webhook/endpoints', fields)).body;
	return {
		accept: async (body = '{}') => {
			const answer = await fetch(`${origin}/wh/${slug}`, {method: 'POST', body});
			assert.equal(answer.status, 202);
			await answer.arrayBuffer();
		},
		remove: async () => {
			await api.delete(`/v1/webhook/endpoints/${id}`);
		},
	};
};

/** A destination that says of each webhook how many milliseconds it took from its sender. */
const openGood = async (api: Api, origin: string) => {
	const sent = new Map<string, number>();
	let taken: number[] = [];
	const server = await listen(async (request, response) => {
		const at = performance.now();
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		taken.push(at - (sent.get(Buffer.concat(chunks).toString()) ?? Number.NaN));
		response.end();
	});
	const endpoint = await addEndpoint(api, origin, server.origin);
	let next = 0;
	return {
		close: server.close,
		/** Sends them, one after another by the clock and not by their answers. @returns what each took. */
		measure: async (beside: readonly Endpoint[]): Promise<readonly number[]> => {
			taken = [];
			const accepting: Promise<void>[] = [];
			const start = performance.now();
			for (let index = 0; index < measured; index += 1) {
				await pause(Math.max(0, start + index * every - performance.now()));
				const body = String(next++);
				sent.set(body, performance.now());
				accepting.push(endpoint.accept(body));
				const bad = beside[(index / oneIn) % beside.length];
				if (bad !== undefined) accepting.push(bad.accept());
			}
			await Promise.all(accepting);
			for (let waited = 0; taken.length < measured && waited < 60_000; waited += 10) await pause(10);
			assert.equal(taken.length, measured, 'a webhook did not arrive');
			return taken;
		},
	};
};

/** The bad ones, in a thread of their own: what they do costs nobody's clock. */
const openBad = async () => {
	const worker = new Worker(new URL('../scenarios/webhook/bad-destinations-thread.ts', import.meta.url));
	const [origins] = (await once(worker, 'message')) as [readonly string[]];
	return {origins, cut: () => worker.postMessage('cut'), close: () => worker.terminate()};
};

type World = Readonly<{
	api: Api;
	origin: string;
	good: Awaited<ReturnType<typeof openGood>>;
	bad: Awaited<ReturnType<typeof openBad>>;
}>;

/** The p99 of the good destination's webhooks beside those, in milliseconds. */
const measureBeside = async ({api, origin, good, bad}: World, urls: readonly string[]): Promise<number> => {
	const endpoints = await Promise.all(urls.map((url) => addEndpoint(api, origin, url)));
	for (const {accept} of endpoints) for (let sent = 0; sent < ahead / endpoints.length; sent += 1) await accept();
	const taken = await good.measure(endpoints);
	await Promise.all(endpoints.map((endpoint) => endpoint.remove()));
	bad.cut();
	// What was under way ends before the next one is measured.
	await pause(500);
	return quantile(taken, 0.99);
};

/** The first row is the control: what the measurement says of a neighbour that does nothing wrong. */
const names = ['a good one', ...badDestinations.map(({what}) => `one that ${what}`), 'all of them'];

type Company = Readonly<{name: string; urls: readonly string[]; beside: number[]}>;

/** Round after round each beside the good one, and in between the good one alone: the machine does not stay the same. */
const measureRound = async (world: World, companies: readonly Company[], alone: number[]): Promise<void> => {
	for (const {urls, beside} of companies) {
		alone.push(await measureBeside(world, []));
		beside.push(await measureBeside(world, urls));
	}
};

const measureAll = async (world: World, neighbour: string) => {
	const {origins} = world.bad;
	const addresses = [[neighbour], ...origins.map((one) => [one]), origins];
	const companies = addresses.map((urls, index): Company => ({name: names[index] ?? '', urls, beside: []}));
	const alone: number[] = [];
	const slower = () => companies.filter(({beside}) => median(beside) > goal * median(alone));
	await measureBeside(world, []);
	for (let round = 0; round < rounds; round += 1) await measureRound(world, companies, alone);
	const again = slower();
	for (let round = 0; round < roundsMore; round += 1) await measureRound(world, again, alone);
	return {alone: median(alone), companies, slower: slower()};
};

/** Whatever a destination does, webhooks of another one arrive about as soon as without it. */
export const tortureDestinations = async (): Promise<void> => {
	const directory = await makeDataDirectory('destinations');
	const {origin, end} = await runServer(directory);
	try {
		const {api} = await registerPerson(createApi(origin));
		const good = await openGood(api, origin);
		const bad = await openBad();
		const neighbour = await listen((request, response) => {
			request.resume();
			response.end();
		});
		const {alone, companies, slower} = await measureAll({api, origin, good, bad}, neighbour.origin);
		await Promise.all([good.close(), bad.close(), neighbour.close()]);
		console.log(`  p99 until a webhook arrives: ${alone.toFixed(1)} ms alone; medians of rounds`);
		for (const {name, beside} of companies) {
			const p99 = median(beside);
			console.log(`  ${(p99 / alone).toFixed(2)} x (${p99.toFixed(1)} ms) beside ${name}, ${beside.length} rounds`);
		}
		const late = slower.map(({name}) => name);
		assert.deepEqual(late, [], `one destination delays another by more than ${goal} x`);
	} finally {
		await end('SIGTERM');
		await removeDataDirectory(directory);
	}
};

import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {Worker} from 'node:worker_threads';
import {compilePipeline} from '../src/webhook/rules/compile-pipeline.ts';
import {createEnvMarkers} from '../src/webhook/rules/env-markers.ts';
import {runPipeline} from '../src/webhook/rules/run-pipeline.ts';
import {type EvilCase, evilPaths, evilPatterns} from '../test/webhook/evil-cases.ts';

const goalMs = 50;
const goalRatio = 1.5;
/** Milliseconds of each half of the health check. */
const period = 10_000;

const cpuMs = (run: () => void): number => {
	const before = process.cpuUsage();
	run();
	const {user, system} = process.cpuUsage(before);
	return (user + system) / 1000;
};

const message = (text: string) => ({
	method: 'POST',
	path: '',
	query: '',
	headers: [],
	body: new TextEncoder().encode(text),
});

type Judged = Readonly<{asked: string; compileMs: number; runMs: number; end: string}>;

const pipelineOf = (field: string, operator: 'matches' | 'equals', value: string) =>
	compilePipeline([
		{
			id: 'm',
			endpoint_id: 'e',
			name: 'evil',
			sort_order: 0,
			is_active: true,
			type: 'filter',
			config: {field, operator, value},
		},
	]);

/** The body is read as text or JSON by a harmless step before the clock runs: every webhook pays that. */
const judge = ({asked, text}: EvilCase, compile: () => ReturnType<typeof pipelineOf>): Judged => {
	let pipeline: ReturnType<typeof pipelineOf> | undefined;
	const compileMs = cpuMs(() => {
		try {
			pipeline = compile();
		} catch {}
	});
	if (pipeline === undefined) return {asked, compileMs, runMs: 0, end: 'refused'};
	const [step] = pipeline;
	const facts = {markers: createEnvMarkers('n0nce', new Map()), is_replay: false};
	const {view} = runPipeline([], message(text()), facts);
	view.json();
	let end = 'answered';
	const runMs = cpuMs(() => {
		try {
			step?.run(view, facts.markers);
		} catch {
			end = 'given up';
		}
	});
	return {asked, compileMs, runMs, end};
};

const judgeAll = (): readonly Judged[] => [
	...evilPatterns.map((evil) => judge(evil, () => pipelineOf('body', 'matches', evil.asked))),
	...evilPaths.map((evil) => judge(evil, () => pipelineOf(evil.asked, 'equals', 'b'))),
];

const percentile = (values: readonly number[], share: number): number =>
	values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;

/** Asks for the health every few milliseconds, from a thread of its own, and answers how long each took. */
const prober = `
	const {parentPort, workerData} = require('node:worker_threads');
	const {setTimeout: sleep} = require('node:timers/promises');
	(async () => {
		const taken = [];
		for (const end = Date.now() + workerData.period; Date.now() < end; await sleep(5)) {
			const start = performance.now();
			await (await fetch(workerData.url)).text();
			taken.push(performance.now() - start);
		}
		parentPort.postMessage(taken);
	})();
`;

const probe = (url: string): Promise<readonly number[]> =>
	new Promise((resolve, reject) => {
		const worker = new Worker(prober, {eval: true, workerData: {url, period}});
		worker.once('message', resolve);
		worker.once('error', reject);
	});

/** The p99 of a health check in milliseconds, while one evil webhook comes in each two seconds. */
const healthBeside = async (url: string, evils: readonly EvilCase[]): Promise<number> => {
	let next = 0;
	const ready = evils.map((evil) => ({evil, text: evil.text()}));
	const timer = setInterval(() => {
		const one = ready[next % ready.length];
		next += 1;
		if (one) judge({asked: one.evil.asked, text: () => one.text}, () => pipelineOf('body', 'matches', one.evil.asked));
	}, 2000);
	const taken = await probe(url);
	clearInterval(timer);
	return percentile(taken, 0.99);
};

const main = async (): Promise<void> => {
	judgeAll();
	const judged = judgeAll();
	for (const {asked, compileMs, runMs, end} of judged.toSorted((a, b) => b.runMs - a.runMs).slice(0, 15))
		console.log(
			`${runMs.toFixed(1).padStart(7)} ms  ${compileMs.toFixed(1).padStart(6)} ms to compile  ${end.padEnd(9)} ${asked.slice(0, 60)}`,
		);
	const worst = Math.max(...judged.flatMap(({compileMs, runMs}) => [compileMs, runMs]));
	console.log(`${judged.length} cases, slowest step ${worst.toFixed(1)} ms (goal: at most ${goalMs})`);
	const server = createServer((_request, response) => response.end('ok'));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	const slowest = new Set(judged.filter(({runMs}) => runMs > 10).map(({asked}) => asked));
	const quiet = await healthBeside(url, []);
	const beside = await healthBeside(
		url,
		evilPatterns.filter(({asked}) => slowest.has(asked)),
	);
	server.close();
	console.log(
		`health check p99: quiet ${quiet.toFixed(2)} ms, beside evil webhooks ${beside.toFixed(2)} ms, ${(beside / quiet).toFixed(2)} x (goal: under ${goalRatio})`,
	);
	process.exitCode = worst <= goalMs && beside < goalRatio * quiet ? 0 : 1;
};

await main();

import {type EvilCase, evilPaths, evilPatterns} from '../src/testing/evil-cases.ts';
import {compilePipeline} from '../src/webhook/rules/compile-pipeline.ts';
import {createEnvMarkers} from '../src/webhook/rules/env-markers.ts';
import {runPipeline} from '../src/webhook/rules/run-pipeline.ts';

const goalMs = 50;

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
	const facts = {markers: createEnvMarkers(() => 'n0nce', new Map()), is_replay: false};
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

const main = (): void => {
	judgeAll();
	const judged = judgeAll();
	for (const {asked, compileMs, runMs, end} of judged.toSorted((a, b) => b.runMs - a.runMs).slice(0, 15))
		console.log(
			`${runMs.toFixed(1).padStart(7)} ms  ${compileMs.toFixed(1).padStart(6)} ms to compile  ${end.padEnd(9)} ${asked.slice(0, 60)}`,
		);
	const worst = Math.max(...judged.flatMap(({compileMs, runMs}) => [compileMs, runMs]));
	console.log(`${judged.length} cases, slowest step ${worst.toFixed(1)} ms (goal: at most ${goalMs})`);
	process.exitCode = worst <= goalMs ? 0 : 1;
};

main();

/**
 * `npm run bench:proxy`: what a proxied call costs, beside other proxies before the same upstreams. Every contestant has a
 * process of its own; they are loaded in turn, round after round, and the tables show medians. Ends with 1 when an answer was
 * wrong or missing, or when the log does not hold what was answered; goals that are missed are printed and no failure.
 */
import {mkdirSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {installPeers} from '../install-peers.ts';
import {runBench} from '../run-bench.ts';
import {type Contestant, type ContestantName, isMcpProxy} from './contestant.ts';
import {startContestants} from './contestants.ts';
import {judgeGoals} from './goals.ts';
import {closedLoopTool} from './load.ts';
import {describeMachine} from './machine.ts';
import {measure, probe, warmUp} from './measure.ts';
import {type Options, readOptions, usage} from './options.ts';
import {home} from './other-proxies.ts';
import {formatGoal, formatMachine, formatOutcome} from './report.ts';
import {type Scenario, type Stage, smallAnswer, stages} from './scenarios.ts';
import {buildServer} from './signalbox.ts';
import {type Outcome, summarise} from './summary.ts';
import {startUpstream} from './upstream.ts';

/** mcp-proxy has upstreams of its own, so that it is compared once, where an upstream costs the least. */
const contestantsOf = ({upstream, answerBytes}: Stage, {only}: Options): readonly ContestantName[] =>
	only.filter((name) => !isMcpProxy(name) || (upstream === 'cheap' && answerBytes === smallAnswer));

/** At a pace that mcp-proxy cannot hold, its figures would say nothing. */
const takesPart = ({name}: Contestant, {rate}: Scenario): boolean => !isMcpProxy(name) || rate === undefined;

const printVersions = (contestants: readonly Contestant[]): void =>
	console.log(`\n${contestants.map(({name, version}) => `${name}: ${version}`).join(' · ')}`);

const runStage = async (stage: Stage, options: Options, directory: string): Promise<readonly Outcome[]> => {
	const upstream = await startUpstream(stage);
	const contestants = await startContestants(contestantsOf(stage, options), upstream, {
		directory,
		driver: options.driver,
		profile: options.profile,
	});
	printVersions(contestants);
	for (const contestant of contestants) await probe(contestant, stage.answerBytes);
	await warmUp(contestants, {...options, ...stage}, options.warm_up);
	const outcomes: Outcome[] = [];
	for (const scenario of stage.scenarios) {
		const running = contestants.filter((contestant) => takesPart(contestant, scenario));
		const outcome = summarise(scenario, await measure(running, {...options, ...stage, scenario}));
		console.log(formatOutcome(outcome, stage, upstream.title));
		outcomes.push(outcome);
	}
	for (const {stop} of contestants) await stop();
	await upstream.stop();
	return outcomes;
};

const selectStages = ({scenario}: Options): readonly Stage[] =>
	stages
		.map((stage) => ({...stage, scenarios: stage.scenarios.filter(({name}) => name.includes(scenario))}))
		.filter(({scenarios}) => scenarios.length > 0);

const run = async (options: Options): Promise<void> => {
	const directory = options.dir ?? fileURLToPath(new URL('../../.cache/bench-proxy', import.meta.url));
	mkdirSync(directory, {recursive: true});
	const machine = describeMachine(directory);
	console.log(`${formatMachine(machine)}, load by ${closedLoopTool}, ${options.rounds} rounds of ${options.seconds} s`);
	installPeers(home);
	if (options.only.some((name) => name.startsWith('ours'))) buildServer();
	const outcomes: Outcome[] = [];
	for (const stage of selectStages(options)) outcomes.push(...(await runStage(stage, options, directory)));
	const goals = judgeGoals(outcomes, machine);
	console.log(`\nNo failed request; every answered call of ours is in its log with both bodies.\n`);
	for (const goal of goals) console.log(formatGoal(goal));
	if (options.json) writeFileSync(options.json, JSON.stringify({machine, options, outcomes, goals}, undefined, '\t'));
};

const usesMariadb = ({only}: Options): boolean => only.includes('ours on MariaDB');

await runBench({usage, readOptions, run, usesMariadb});

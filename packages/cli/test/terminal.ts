import type {ExecutionContext} from 'ava';
import type {World} from '../src/command-line/command.ts';
import {runCommandLine} from '../src/command-line/run-command-line.ts';
import {temporaryFolder} from './agent/world.ts';
import {createSettableClock, type SettableClock} from './manual-clock.ts';

/** What a person sees. */
const screen = (isTTY: boolean) => {
	const shown: string[] = [];
	return {stream: {isTTY, write: (text: string) => shown.push(text)}, text: () => shown.join('')};
};

export type Terminal = Readonly<{
	world: World;
	clock: SettableClock;
	questions: (readonly [question: string, isHidden: boolean])[];
	opened: string[];
	/** Runs a command. */
	run(...words: string[]): Promise<Readonly<{code: number; stdout: string; stderr: string}>>;
}>;

type Habits = Partial<World> & Readonly<{isTTY?: boolean; answers?: string[]}>;

/** A person of an empty account at a terminal, who gives these answers. */
export const openTerminal = async (t: ExecutionContext, {isTTY = false, answers = [], ...habits}: Habits = {}) => {
	const home = await temporaryFolder(t);
	const clock = createSettableClock();
	const questions: [string, boolean][] = [];
	const opened: string[] = [];
	const stop = {stopping: new AbortController().signal, hurrying: new AbortController().signal};
	const rest: Omit<World, 'stdout' | 'stderr'> = {
		clock,
		version: '1.2.3',
		uid: 1000,
		isInputTerminal: true,
		ask: async (question, isHidden = false) => {
			questions.push([question, isHidden]);
			return answers.shift() ?? '';
		},
		readInput: async () => '',
		openBrowser: (url) => void opened.push(url),
		awaitStop: () => stop,
		...habits,
		environment: {HOME: home, ...habits.environment},
	};
	const run: Terminal['run'] = async (...words) => {
		const [stdout, stderr] = [screen(isTTY), screen(isTTY)];
		const code = await runCommandLine(words, {...rest, stdout: stdout.stream, stderr: stderr.stream});
		return {code, stdout: stdout.text(), stderr: stderr.text()};
	};
	return {run, clock, questions, opened, home};
};

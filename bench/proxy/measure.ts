import {execFileSync} from 'node:child_process';
import {setTimeout as pause} from 'node:timers/promises';
import type {Contestant, ContestantName} from './contestant.ts';
import {type LoadResult, load} from './load.ts';
import {requestBody, requestHeaders, responseBody} from './message.ts';
import {cpuSeconds, peakMegabytes, resetPeak} from './process-usage.ts';
import type {Scenario} from './scenarios.ts';

/** Of the whole process, its threads included; undefined where there is no proxy. */
type Usage = Readonly<{cpu_us: number | undefined; peak_mb: number | undefined}>;
export type Measurement = LoadResult & Usage & Readonly<{contestant: ContestantName; round: number}>;

export type Course = Readonly<{scenario: Scenario; answerBytes: number; rounds: number; seconds: number}>;

const settleMs = 200;

/** Sends one call and looks at the whole answer: what is counted afterwards is answers like this one. */
export const probe = async ({url, name, audit}: Contestant, answerBytes: number): Promise<void> => {
	const response = await fetch(url, {method: 'POST', headers: requestHeaders, body: requestBody});
	const text = await response.text();
	const {result} = JSON.parse(responseBody(answerBytes));
	if (response.status !== 200 || !text.includes(JSON.stringify(result.content)))
		throw new Error(`${name} answered ${response.status}: ${text.slice(0, 300)}`);
	await audit({requests: 1, connections: 0});
};

const assertWhole = ({name}: Contestant, {requests, failures, bytes}: LoadResult, answerBytes: number): void => {
	if (failures > 0 || requests === 0) throw new Error(`${name}: ${failures} failures beside ${requests} answers`);
	if (bytes < requests * answerBytes)
		throw new Error(`${name}: ${requests} answers of ${answerBytes} bytes cannot have ${bytes} bytes in all`);
};

const measureOnce = async (contestant: Contestant, course: Course, seconds: number): Promise<LoadResult & Usage> => {
	const {pid, audit} = contestant;
	// What one wrote goes to the disk now, not while the next one waits for its own.
	execFileSync('sync');
	if (pid !== undefined) resetPeak(pid);
	const before = pid === undefined ? 0 : cpuSeconds(pid);
	const result = await load(
		{url: contestant.url, headers: requestHeaders, body: requestBody},
		course.scenario,
		seconds,
	);
	assertWhole(contestant, result, course.answerBytes);
	const usage =
		pid === undefined
			? {cpu_us: undefined, peak_mb: undefined}
			: {cpu_us: ((cpuSeconds(pid) - before) * 1e6) / result.requests, peak_mb: peakMegabytes(pid)};
	await audit({requests: result.requests, connections: course.scenario.connections});
	await pause(settleMs);
	return {...result, ...usage};
};

const warmUpScenario: Scenario = {name: 'cheap', connections: 32};

/** A load that does not count, before the first that does: a program that has just started is not the one that serves. */
export const warmUp = async (
	contestants: readonly Contestant[],
	course: Omit<Course, 'scenario'>,
	seconds: number,
): Promise<void> => {
	for (const contestant of contestants) await measureOnce(contestant, {...course, scenario: warmUpScenario}, seconds);
};

/** Each round begins with another one, so that nobody always follows the same neighbour. */
const rotated = <T>(all: readonly T[], by: number): readonly T[] => {
	const first = by % all.length;
	return [...all.slice(first), ...all.slice(0, first)];
};

/** Loads every contestant in turn, round after round, so that what else the machine does meets all alike. */
export const measure = async (contestants: readonly Contestant[], course: Course): Promise<readonly Measurement[]> => {
	const measurements: Measurement[] = [];
	for (let round = 0; round < course.rounds; round += 1) {
		for (const contestant of rotated(contestants, round)) {
			const measured = await measureOnce(contestant, course, course.seconds);
			measurements.push({contestant: contestant.name, round, ...measured});
		}
	}
	return measurements;
};

import {execFileSync} from 'node:child_process';
import {setTimeout as pause} from 'node:timers/promises';
import {Pool} from 'undici';
import {load, type Pace} from '../proxy/load.ts';
import {cpuSeconds, peakMegabytes, resetPeak} from '../proxy/process-usage.ts';
import {quantile} from '../quantile.ts';
import {body, headersFor, newDelivery} from './message.ts';
import {monotonicNow, type Sink} from './sink-process.ts';
import type {Contestant, Target, TargetName} from './target.ts';

/** What one load of a target came to. Times of acceptance are those until the 202. */
export type Measurement = Readonly<{
	name: TargetName;
	accepted_per_s: number;
	/** Events of which everything arrived, from the first request to the last arrival; undefined where nothing is sent. */
	delivered_per_s: number | undefined;
	p50_ms: number;
	p99_ms: number;
	/** Of the process with all its threads, for each event, its delivery included. */
	cpu_us: number;
	peak_mb: number;
	events: number;
}>;

const lookEvery = 50;
/** Nothing arrives for that long: whoever was cut off at the end of the load has had their webhook delivered. */
const quiet = 500;
/** A peer may be minutes behind. */
const patience = 300_000;

/** Waits until at least so much has arrived, and no more comes. */
const untilArrived = async (sink: Sink, least: number) => {
	const deadline = monotonicNow() + patience;
	for (;;) {
		const arrived = await sink.read();
		if (arrived.count >= least && monotonicNow() - arrived.last > quiet) return arrived;
		if (monotonicNow() > deadline) throw new Error(`${arrived.count} of ${least} deliveries arrived`);
		await pause(lookEvery);
	}
};

const message = (url: string) => ({url, headers: headersFor(newDelivery()), body});

export type Course = Readonly<{sink: Sink; rounds: number; seconds: number}>;

const measureOnce = async (
	target: Target,
	{sink, seconds}: Omit<Course, 'rounds'>,
	pace: Pace,
): Promise<Measurement> => {
	const {name, pid, fanOut} = target;
	// What one wrote goes to the disk now, not while the next one waits for its own.
	execFileSync('sync');
	resetPeak(pid);
	const [before, cpuBefore, begun] = [await sink.read(), cpuSeconds(pid), monotonicNow()];
	const {requests, failures, seconds: lasted, p50_ms, p99_ms} = await load(message(target.url), pace, seconds);
	if (failures > 0 || requests === 0) throw new Error(`${name}: ${failures} failures beside ${requests} answers`);
	// What was cut off at the end may still be written.
	await pause(quiet);
	const after = await untilArrived(sink, before.count + requests * fanOut);
	await target.audit({accepted: requests, connections: pace.connections});
	const events = fanOut === 0 ? requests : (after.count - before.count) / fanOut;
	return {
		name,
		events,
		accepted_per_s: requests / lasted,
		delivered_per_s: fanOut === 0 ? undefined : events / ((after.last - begun) / 1000),
		p50_ms,
		p99_ms,
		cpu_us: ((cpuSeconds(pid) - cpuBefore) * 1e6) / events,
		peak_mb: peakMegabytes(pid),
	};
};

const probe = async ({name, url}: Target): Promise<void> => {
	const response = await fetch(url, {method: 'POST', headers: headersFor(newDelivery()), body});
	if (response.status !== 202) throw new Error(`${name} answered ${response.status}: ${await response.text()}`);
	await response.body?.cancel();
};

/** Seconds. By then V8 has compiled what a server runs over and over, or most of it. */
const warming = 8;

/** A load that does not count, before the first that does: a program that has just started is not the one that serves. */
export const warmUp = async (targets: readonly Target[], sink: Sink): Promise<void> => {
	for (const target of targets) {
		await probe(target);
		await measureOnce(target, {sink, seconds: warming}, {connections: 32});
	}
};

/** Each round begins with another one, so that nobody always follows the same neighbour. */
const rotated = <T>(all: readonly T[], by: number): readonly T[] => {
	const first = by % Math.max(1, all.length);
	return [...all.slice(first), ...all.slice(0, first)];
};

/** Does something with each in turn, round after round, so that what else the machine does meets all alike. */
const inTurn = async <T, R>(
	all: readonly T[],
	rounds: number,
	work: (each: T) => Promise<R>,
): Promise<readonly R[]> => {
	const results: R[] = [];
	for (let round = 0; round < rounds; round += 1)
		for (const each of rotated(all, round)) results.push(await work(each));
	return results;
};

export const measure = async (targets: readonly Target[], course: Course, pace: Pace) =>
	inTurn(targets, course.rounds, (target) => measureOnce(target, course, pace));

/** From the moment at which a webhook is sent until it is at its destination. */
export type Delay = Readonly<{name: TargetName; p50_ms: number; p99_ms: number}>;

const paceOnce = async (
	{name, url}: NonNullable<Contestant['paced']>,
	course: Course,
	rate: number,
): Promise<Delay> => {
	const {origin, pathname: path} = new URL(url);
	const pool = new Pool(origin, {connections: 32});
	const before = await course.sink.read();
	const sent = new Map<string, number>();
	const answers: Promise<unknown>[] = [];
	const send = async (headers: Readonly<Record<string, string>>) => {
		const answer = await pool.request({path, method: 'POST', headers, body});
		await answer.body.dump();
		if (answer.statusCode >= 300) throw new Error(`${name} answered ${answer.statusCode}`);
	};
	const begun = monotonicNow();
	for (let index = 0; index < rate * course.seconds; index += 1) {
		await pause(Math.max(0, begun + (index * 1000) / rate - monotonicNow()));
		const delivery = newDelivery();
		const headers = headersFor(delivery);
		sent.set(delivery, monotonicNow());
		answers.push(send(headers));
	}
	await Promise.all(answers);
	await untilArrived(course.sink, before.count + sent.size);
	const arrivals = await course.sink.times();
	await pool.close();
	const delays = [...sent].map(([delivery, at]) => (arrivals[delivery] ?? Number.POSITIVE_INFINITY) - at);
	return {name, p50_ms: quantile(delays, 0.5), p99_ms: quantile(delays, 0.99)};
};

/** Webhooks one by one, that many a second, whether or not earlier ones arrived. */
export const measureDelays = async (contestants: readonly Contestant[], course: Course, rate: number) =>
	inTurn(
		contestants.flatMap(({paced}) => paced ?? []),
		course.rounds,
		(door) => paceOnce(door, course, rate),
	);

import {setTimeout as pause} from 'node:timers/promises';
import {findTagged, isGroupAlive, sendSignal} from './processes.ts';

const shortestPauseMs = 5;
const longestPauseMs = 500;
/** A process that starts others faster than they are found is not followed for ever. */
const mostScans = 20;

export type StopRequest = Readonly<{
	/** Undefined when no process of the group is known to be there. */
	group?: number;
	tag: string;
	/** Milliseconds between TERM and KILL. */
	grace_ms: number;
}>;

/** Waits until nobody in the group lives. @returns false when somebody still does after that many milliseconds. */
const isGoneWithin = async (group: number, ms: number): Promise<boolean> => {
	const deadline = performance.now() + ms;
	for (let wait = shortestPauseMs; await isGroupAlive(group); wait = Math.min(2 * wait, longestPauseMs)) {
		const left = deadline - performance.now();
		if (left <= 0) return false;
		await pause(Math.min(wait, left));
	}
	return true;
};

const stopGroup = async (group: number, grace_ms: number): Promise<void> => {
	sendSignal(-group, 'SIGTERM');
	if (!(await isGoneWithin(group, grace_ms))) sendSignal(-group, 'SIGKILL');
};

/** Again until a scan finds none: one that was being started during a scan is found by the next. */
const killTagged = async (tag: string): Promise<void> => {
	for (let scan = 0; scan < mostScans; scan += 1) {
		const found = await findTagged(tag);
		if (found.length === 0) return;
		for (const pid of found) sendSignal(pid, 'SIGKILL');
		await pause(scan);
	}
};

/** Ends every process of an attempt: TERM to its group, KILL after the grace, and then KILL to those that left the group. */
export const stopProcesses = async ({group, tag, grace_ms}: StopRequest): Promise<void> => {
	if (group !== undefined) await stopGroup(group, grace_ms);
	await killTagged(tag);
};

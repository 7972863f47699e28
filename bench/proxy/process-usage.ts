import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], {encoding: 'utf8'}));

/** Seconds of CPU, user and system, that all threads of a process took so far. */
export const cpuSeconds = (pid: number): number => {
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	// The second field is the name in brackets, which may hold spaces; user and system time are the 14th and 15th.
	const [user, system] = stat
		.slice(stat.lastIndexOf(')') + 2)
		.split(' ')
		.slice(11, 13);
	return (Number(user) + Number(system)) / ticksPerSecond;
};

/** Lets the peak begin anew. */
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** Largest resident memory since the reset. MiB. */
export const peakMegabytes = (pid: number): number =>
	Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

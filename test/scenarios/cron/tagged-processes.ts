import {readdirSync, readFileSync} from 'node:fs';

/** Processes of this machine that carry the tag of an attempt, by their id. */
export type TaggedProcesses = ReadonlyMap<string, string>;

const tagOf = (pid: string): string | undefined => {
	try {
		return /(?:^|\0)SIGNALBOX_RUN=([^\0]+)/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8'))?.[1];
	} catch {
		// It has ended meanwhile.
		return undefined;
	}
};

/** What runs now of those attempts of agents, wherever it went. */
export const taggedProcesses = (isOurs: (execution_id: string) => boolean): TaggedProcesses =>
	new Map(
		readdirSync('/proc')
			.filter((name) => /^\d+$/.test(name))
			.map((pid) => [pid, tagOf(pid) ?? ''] as const)
			.filter(([, tag]) => isOurs(tag.split('.')[0] ?? '')),
	);

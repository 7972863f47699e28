import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {rowsOf} from '../../support/data-directory.ts';

/** What an agent was about when it died. It may have been about several things at once. */
export type Moment = 'starting' | 'idle' | 'leasing' | 'running' | 'reporting';

export const readOrEmpty = async (path: string): Promise<string> => {
	try {
		return await readFile(path, 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
		throw error;
	}
};

/** Of the runs in the database of a server: all ids, how many have not ended, and how many agents hold, by status. */
export const readRuns = async (directory: string) => {
	const rows = await rowsOf(directory, 'SELECT id, status, held_by FROM cron_executions');
	const held = rows.filter(({held_by}) => held_by !== null);
	return {
		ids: new Set(rows.map(({id}) => String(id))),
		unfinished: rows.filter(({status}) => status === 'pending' || status === 'running').length,
		leased: held.filter(({status}) => status === 'pending').length,
		running: held.filter(({status}) => status === 'running').length,
	};
};

/** Attempts whose end stands in the journal of an agent: the server has not taken the report, or the agent does not know it. */
const unreported = async (stateFolder: string): Promise<number> => {
	const names = (await readdir(stateFolder)).filter((name) => name.endsWith('.json'));
	const entries = await Promise.all(names.map((name) => readOrEmpty(join(stateFolder, name))));
	return entries.filter((entry) => entry.includes('"result"')).length;
};

/** What an agent that was killed now was about, by what the server and the state folder say. */
export const momentsOf = async (
	{leased, running}: Awaited<ReturnType<typeof readRuns>>,
	{stateFolder, hasRegistered}: Readonly<{stateFolder: string; hasRegistered: boolean}>,
): Promise<readonly Moment[]> => {
	if (!hasRegistered) return ['starting'];
	const ended = await unreported(stateFolder);
	const found: Moment[] = [];
	if (leased > 0) found.push('leasing');
	if (running > ended) found.push('running');
	if (ended > 0) found.push('reporting');
	return found.length === 0 ? ['idle'] : found;
};

import {readFile, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import {isStillAlive, type KnownProcess, startOf} from './processes.ts';
import {makePrivateFolder} from './protected-file.ts';

/** What an agent keeps in its state folder beside the journal. */
export type AgentState = Readonly<{
	/** The id that the server gave it; empty before the first registration. */
	readId(): Promise<string>;
	keepId(id: string): Promise<void>;
	/** Lets another agent use the folder. */
	release(): Promise<void>;
}>;

const ownerSchema = z.object({pid: z.int(), started: z.string().optional()});

const readText = async (path: string): Promise<string> => {
	try {
		return await readFile(path, 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
		throw error;
	}
};

/** What is cut short was written by one that died. */
const ownerOf = (text: string): KnownProcess | undefined => {
	try {
		return ownerSchema.parse(JSON.parse(text));
	} catch {
		return undefined;
	}
};

const tryLock = async (path: string): Promise<boolean> => {
	const owner = JSON.stringify({pid: process.pid, started: await startOf(process.pid)});
	try {
		await writeFile(path, owner, {mode: 0o600, flag: 'wx'});
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
		throw error;
	}
};

/** Two agents in one folder would each take the session of the other. */
const lock = async (path: string): Promise<void> => {
	if (await tryLock(path)) return;
	const owner = ownerOf(await readText(path));
	if (owner !== undefined && (await isStillAlive(owner)))
		throw new Error(`An agent uses ${path} already: process ${owner.pid}. Stop it, or name another --state-folder.`);
	await rm(path, {force: true});
	if (!(await tryLock(path))) throw new Error(`Another agent was started in the same moment: ${path}`);
};

/**
 * Takes the folder for this process, until it releases it or dies.
 * @throws Error when an agent that lives uses it, or when others could change it.
 */
export const openAgentState = async (folder: string): Promise<AgentState> => {
	await makePrivateFolder(folder);
	const [lockPath, idPath] = [join(folder, 'agent.lock'), join(folder, 'agent-id')];
	await lock(lockPath);
	return {
		readId: async () => (await readText(idPath)).trim(),
		keepId: async (id) => {
			await writeFile(`${idPath}.new`, `${id}\n`, {mode: 0o600, flush: true});
			await rename(`${idPath}.new`, idPath);
		},
		release: () => rm(lockPath, {force: true}),
	};
};

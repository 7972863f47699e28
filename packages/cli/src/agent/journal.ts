import {readdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import {AlreadyStartedError, type AttemptKey, type AttemptResult, attemptName} from './attempt.ts';
import {readBootId, startOf} from './processes.ts';
import {makePrivateFolder} from './protected-file.ts';

const processSchema = z.object({pid: z.int(), started: z.string().optional()});

const resultSchema = z.object({
	outcome: z.enum(['EXITED', 'SIGNALED', 'TIMED_OUT', 'CANCELED', 'SPAWN_ERROR', 'AGENT_RESTARTED']),
	exit_code: z.int().optional(),
	signal: z.string().optional(),
	error: z.string().optional(),
	duration_ms: z.number(),
	stdout_bytes: z.int(),
	stderr_bytes: z.int(),
	truncated: z.boolean(),
});

const entrySchema = z.object({
	execution_id: z.string(),
	attempt: z.int(),
	lease_token: z.string(),
	kill_grace_ms: z.int(),
	/** Undefined where it cannot be told. */
	boot_id: z.string().optional(),
	/** The agent that wrote this. */
	agent: processSchema,
	/** The leader of the command's process group: its id is the group's. Missing until the command may run. */
	leader: processSchema.optional(),
	/** Once the attempt has ended. */
	result: resultSchema.optional(),
});

/** What a host remembers of an attempt from before its command runs until its end was reported. */
export type JournalEntry = Readonly<z.infer<typeof entrySchema>>;

export type NewEntry = AttemptKey & Pick<JournalEntry, 'lease_token' | 'kill_grace_ms'>;

/** One small file for each attempt, of mode 0600. What is written outlives the death of the agent at any moment. */
export type Journal = Readonly<{
	/** Takes an attempt for this agent. @throws AlreadyStartedError when the host knows it: none runs twice. */
	begin(entry: NewEntry): Promise<JournalEntry>;
	/** Puts down who leads the command's process group, before the command runs. @returns the entry as it is now. */
	lead(entry: JournalEntry, pid: number): Promise<JournalEntry>;
	/** Puts down how the attempt ended, and removes its script. */
	settle(entry: JournalEntry, result: AttemptResult): Promise<void>;
	/** Forgets an attempt, its script included. Does nothing when it is unknown. */
	remove(key: AttemptKey): Promise<void>;
	/**
	 * Forgets what an agent was writing down when it died: its command never ran, and would never run again. For the one agent of
	 * the folder, before it begins anything. @returns every attempt that the folder knows.
	 */
	takeOver(): Promise<readonly JournalEntry[]>;
	/** Where the script of an attempt stands while it runs. */
	scriptOf(key: AttemptKey): string;
}>;

/** A file that is cut short is one whose agent, or machine, died before its command could run. */
const parseEntry = (text: string): JournalEntry | undefined => {
	try {
		return entrySchema.parse(JSON.parse(text));
	} catch {
		return undefined;
	}
};

/** Everything that stands in the folder for an attempt; the last one is the barrier. */
const endings = ['.sh', '.sh.stdout', '.sh.stderr', '.new', '.json'] as const;

/** Creates the folder if need be. @throws Error when other accounts can change it. */
export const openJournal = async (folder: string): Promise<Journal> => {
	await makePrivateFolder(folder);
	const pathOf = (key: AttemptKey, ending: (typeof endings)[number]): string =>
		join(folder, `${attemptName(key)}${ending}`);

	// Not flushed: what an entry tells of processes outlives the agent without that, and the machine it need not outlive.
	const replace = async (entry: JournalEntry): Promise<JournalEntry> => {
		await writeFile(pathOf(entry, '.new'), JSON.stringify(entry), {mode: 0o600});
		await rename(pathOf(entry, '.new'), pathOf(entry, '.json'));
		return entry;
	};

	const readOrForget = async (name: string): Promise<JournalEntry | undefined> => {
		const path = join(folder, name);
		const entry = parseEntry(await readFile(path, 'utf8'));
		if (entry === undefined) await rm(path, {force: true});
		return entry;
	};

	return {
		begin: async (entry) => {
			const agent = {pid: process.pid, started: await startOf(process.pid)};
			const written = {...entry, boot_id: await readBootId(), agent};
			try {
				await writeFile(pathOf(entry, '.json'), JSON.stringify(written), {mode: 0o600, flag: 'wx', flush: true});
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
				throw new AlreadyStartedError(`${attemptName(entry)}: this attempt was started on this host already`);
			}
			return written;
		},
		lead: async (entry, pid) => replace({...entry, leader: {pid, started: await startOf(pid)}}),
		settle: async (entry, result) => {
			await rm(pathOf(entry, '.sh'), {force: true});
			await replace({...entry, result});
		},
		remove: async (key) => {
			for (const ending of endings) await rm(pathOf(key, ending), {force: true});
		},
		takeOver: async () => {
			const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
			return (await Promise.all(names.map(readOrForget))).filter((entry) => entry !== undefined);
		},
		scriptOf: (key) => pathOf(key, '.sh'),
	};
};

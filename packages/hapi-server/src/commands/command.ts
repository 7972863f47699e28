import type {Composition} from '../compose.ts';
import type {Config} from '../config.ts';

/** What a command works with. */
export type CommandContext = Readonly<{
	config: Config;
	/** What stands behind the command's name. */
	args: readonly string[];
	/** One line for people, or for scripts that wait for it. */
	print(line: string): void;
	/** The server's parts, put together once they are needed; the caller stops what it composed. */
	compose(): Promise<Composition>;
	/** Resolves when the process is asked to end. */
	untilStopped(): Promise<void>;
}>;

export type Command = (context: CommandContext) => Promise<void>;

/** The command line was not understood; the message says how to write it. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
}

/** Composes, works on a migrated database, and stops again. */
export const withComposition = async (
	context: CommandContext,
	work: (composition: Composition) => Promise<void>,
): Promise<void> => {
	const composition = await context.compose();
	try {
		await composition.database.migrate();
		await work(composition);
	} finally {
		await composition.stop();
	}
};

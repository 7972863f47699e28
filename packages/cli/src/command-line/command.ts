import type {Clock} from '../clock.ts';

export type Option = Readonly<{
	/** Names what stands behind it. Without one the option is a switch. */
	value?: string;
	short?: string;
	/** The only values it takes. */
	choices?: readonly string[];
	summary: string;
}>;

export type Argument = Readonly<{name: string; isOptional?: boolean; choices?: readonly string[]}>;

/** What a command came to: for programs, and for people. `failure` is why it fails nevertheless. */
export type Shown = Readonly<{json: unknown; text: string; failure?: string}>;

export type Output = Readonly<{
	/** Adds to the answer, without a line end of its own. */
	write(text: string): void;
	/** A line for people, beside the answer. */
	note(line: string): void;
	/** Shows what is waited for on a line that the next one overwrites; nothing where no person looks. */
	progress(text: string): void;
	/** Colors a text, where colors are seen. */
	style(color: 'green' | 'red' | 'yellow' | 'dim', text: string): string;
	/** Whether the answer is for programs. */
	isJson: boolean;
}>;

/** What the command line asks of the world. */
export type World = Readonly<{
	environment: Readonly<Record<string, string | undefined>>;
	stdout: Stream;
	stderr: Stream;
	clock: Clock;
	/** Of this program. */
	version: string;
	/** Number of the account, where accounts have numbers. */
	uid: number | undefined;
	/** Whether a person types the input; else it is piped in. */
	isInputTerminal: boolean;
	/** Asks a person, or reads a line that was piped in. @param isHidden - what is typed is not shown */
	ask(question: string, isHidden?: boolean): Promise<string>;
	/** All that is piped in. */
	readInput(): Promise<string>;
	/** Tries to open a page for the person. */
	openBrowser(url: string): void;
	/** From now on the program ends by itself when it is told to: the signals abort then, and when it is told so once more. */
	awaitStop(): Readonly<{stopping: AbortSignal; hurrying: AbortSignal}>;
}>;

export type Stream = Readonly<{write(text: string): unknown; isTTY?: boolean | undefined}>;

/** What a command works with. */
export type Context = Readonly<{
	world: World;
	output: Output;
	/** An argument by its name; an optional one may be missing. */
	argument(name: string): string;
	optional(name: string): string | undefined;
	/** What stands behind an option. */
	text(name: string): string | undefined;
	/** Whether a switch is on. */
	isOn(name: string): boolean;
}>;

export type Command = Readonly<{
	/** The words that name it, like `env set`. */
	name: string;
	/** One line. */
	summary: string;
	/** What one should know besides, with an example. */
	details?: string;
	args?: readonly Argument[];
	options?: Readonly<Record<string, Option>>;
	run(context: Context): Promise<Shown | undefined>;
}>;

/** The command line was not understood; the message says how to write it. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
}

/** The command line was understood, but the server has nothing of the name that it gives. */
export class NotFoundError extends Error {
	override readonly name = 'NotFoundError';
}

/** Reads a number that an option gives. @throws UsageError */
export const numberOf = ({text}: Context, name: string, [least, most]: readonly [number, number]) => {
	const given = text(name);
	if (given === undefined) return undefined;
	const number = Number(given);
	if (!/^\d+$/.test(given) || number < least || number > most)
		throw new UsageError(`--${name} takes a whole number from ${least} to ${most}, not ${given}`);
	return number;
};

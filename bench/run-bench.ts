import {withOwnMariadb} from './own-mariadb.ts';

/** The number that an option was given. @throws Error that says so when it is not whole, or less than 1. */
export const whole = (name: string, text: string): number => {
	const value = Number(text);
	if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number from 1`);
	return value;
};

type Bench<T> = Readonly<{
	usage: string;
	readOptions(args: readonly string[]): T;
	run(options: T): Promise<void>;
	/** Default: no. */
	usesMariadb?(options: T): boolean;
}>;

const optionsOrUsage = <T>({usage, readOptions}: Bench<T>): T => {
	try {
		return readOptions(process.argv.slice(2));
	} catch (error) {
		console.error(`${(error as Error).message}\n\n${usage}`);
		process.exit(2);
	}
};

/**
 * Runs a benchmark as a program: it ends with 2 when an option does not hold, and with 1 when it could not measure. With DRY_RUN
 * in the environment it says what it was asked for, and measures nothing.
 */
export const runBench = async <T>(bench: Bench<T>): Promise<void> => {
	try {
		const options = optionsOrUsage(bench);
		if (process.env.DRY_RUN) return console.log(options);
		const run = async () => bench.run(options);
		await (bench.usesMariadb?.(options) ? withOwnMariadb(run) : run());
	} catch (error) {
		console.error(error);
		process.exit(1);
	}
};

import {readFileSync} from 'node:fs';
import {isatty} from 'node:tty';
import {systemClock} from './clock.ts';
import {runCommandLine} from './command-line/run-command-line.ts';
import {ask, openBrowser, readInput} from './command-line/terminal.ts';

const readVersion = (): string =>
	JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version as string;

/** The first signal asks to end, the second one to end at once, and one more is the system's. */
const awaitStop = () => {
	const [stopping, hurrying] = [new AbortController(), new AbortController()];
	for (const signal of ['SIGTERM', 'SIGINT'] as const) {
		process.once(signal, () => {
			process.once(signal, () => hurrying.abort());
			stopping.abort();
		});
	}
	return {stopping: stopping.signal, hurrying: hurrying.signal};
};

/** Whoever read the output may have enough: that is no fault. Lines on standard error are lost, and an agent goes on. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
	if (error.code === 'EPIPE') process.exit();
	process.stderr.write(`The output could not be written: ${error.message}\n`);
	process.exit(1);
});
process.stderr.on('error', () => undefined);

process.exitCode = await runCommandLine(process.argv.slice(2), {
	environment: process.env,
	stdout: process.stdout,
	stderr: process.stderr,
	clock: systemClock,
	version: readVersion(),
	uid: process.getuid?.(),
	isInputTerminal: isatty(0),
	ask,
	readInput,
	openBrowser,
	awaitStop,
});

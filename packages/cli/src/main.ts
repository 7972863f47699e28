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

import {open} from 'node:fs/promises';
import {Writable} from 'node:stream';
import test from 'ava';
import {makeDataDirectory, removeDataDirectory} from '../../../test/support/data-directory.ts';
import {runServer} from '../../../test/support/server-process.ts';
import {createLogStream} from '../src/log-stream.ts';

type Settle = (error?: Error | null) => void;

/** An output whose writes end when the test says so. */
const openOutput = () => {
	const written: string[] = [];
	const waiting: Settle[] = [];
	const output = new Writable({
		autoDestroy: false,
		decodeStrings: false,
		write: (chunk, _encoding, settle) => {
			written.push(chunk);
			waiting.push(settle);
		},
	});
	const settle = async (error?: Error): Promise<void> => {
		waiting.shift()?.(error);
		await new Promise(setImmediate);
	};
	return {written, output, settle, stream: createLogStream(output)};
};

const lossIn = (line: string | undefined) => JSON.parse(line ?? '');

test('lines that wait for a reader are bounded, and those that were lost are counted once it reads on', async (t) => {
	const {written, settle, stream} = openOutput();
	const line = `${'x'.repeat(64 * 1024 - 1)}\n`;
	for (let number = 0; number < 20; number += 1) stream.write(line);
	for (let number = 0; number < 17; number += 1) await settle();
	t.is(written.filter((each) => each === line).length, 17);
	t.like(lossIn(written[17]), {level: 40, lost: 3, msg: 'log lines were lost'});
	await settle();
	stream.write('the next\n');
	await settle();
	t.deepEqual(written.slice(18), ['the next\n']);
});

for (const [name, file] of [
	['the disk of the log is full', '/dev/full'],
	['nobody reads the log', undefined],
] as const) {
	test(`while ${name}, requests are answered, and the server ends as it is told to`, async (t) => {
		const directory = await makeDataDirectory('log');
		t.teardown(() => removeDataDirectory(directory));
		const log = file === undefined ? undefined : await open(file, 'w');
		const {origin, end} = await runServer(directory, {LOG_LEVEL: 'info'}, log?.fd ?? 'pipe');
		await log?.close();
		const get = async () => (await fetch(`${origin}/healthz`)).status;
		// More lines than what lies between two processes takes.
		for (let round = 0; round < 150; round += 1) {
			const answers = await Promise.all(Array.from({length: 20}, get));
			t.true(answers.every((status) => status === 200));
		}
		t.is(await end('SIGTERM'), 0);
	});
}

import {execFileSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {startTestServer} from '../../../../test/support/server.ts';

type Started = Pick<ExecutionContext, 'teardown'>;

const ends: (() => unknown)[] = [];

/** What the tests of a file share: started for the first that asks for it, and ended after the last. */
export const shared = <T>(start: (t: Started) => Promise<T>): (() => Promise<T>) => {
	let started: Promise<T> | undefined;
	return async () => {
		started ??= start({teardown: (end) => void ends.unshift(end)});
		return started;
	};
};

test.after.always('what the tests shared has ended', async () => {
	for (const end of ends) await end();
});

const buildIfNeeded = fileURLToPath(new URL('../../../../scripts/build-if-needed.ts', import.meta.url));

/** A server with the dashboard as its sources are now. Nobody who looks at a page sees that its work waits 0.1 s. */
export const sharedServer = shared(async (t) => {
	execFileSync(process.execPath, [buildIfNeeded, 'dashboard'], {stdio: 'inherit'});
	const server = await startTestServer();
	t.teardown(server.close);
	return server;
});

import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';

test('a script decides by its rule and leaves the rest to a person, in under 100 lines', async (t) => {
	const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
	const sources = await Promise.all(['approve.ts', 'main.ts'].map((name) => readFile(pathOf(name), 'utf8')));
	t.true(sources.join('').split('\n').length <= 100);
	const {stdout} = await promisify(execFile)(process.execPath, ['--conditions=@signalbox/source', pathOf('main.ts')]);
	t.deepEqual(stdout.trimEnd().split('\n'), [
		'approved: asked the customer',
		'rejected: more than 1000 is never refunded by an agent',
		'approved: a refund of up to 50',
	]);
});

import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';

test('stores of ones own pass the published contract and outlive a restart, in under 90 lines', async (t) => {
	const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
	t.true((await readFile(pathOf('sqlite-stores.ts'), 'utf8')).split('\n').length <= 90);
	const {stdout} = await promisify(execFile)(process.execPath, ['--conditions=@signalbox/source', pathOf('main.ts')]);
	t.regex(stdout, /^\d+ cases of the contract passed\nafter a restart: made once, and on record\n$/);
});

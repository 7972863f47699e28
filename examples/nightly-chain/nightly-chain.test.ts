import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';

test('a real agent runs a night that goes well and one that does not, each step on its condition, in under 100 lines', async (t) => {
	const program = fileURLToPath(new URL('main.ts', import.meta.url));
	t.true((await readFile(program, 'utf8')).split('\n').length <= 100);
	const {stdout} = await promisify(execFile)(process.execPath, ['--conditions=@signalbox/source', program]);
	t.deepEqual(stdout.trimEnd().split('\n'), [
		...['Nightly: completed', '  Back up: success', '  Verify: success'],
		...['  Tell somebody: skipped', '  Leave a mark: success'],
		...['Nightly: failed', '  Back up: failed', '  Verify: skipped'],
		...['  Tell somebody: success', '  Leave a mark: success'],
	]);
});

import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';

test('the official client reads at once, is held until a person decides, and is told a rejection, in under 80 lines', async (t) => {
	const program = fileURLToPath(new URL('main.ts', import.meta.url));
	t.true((await readFile(program, 'utf8')).split('\n').length <= 80);
	const {stdout} = await promisify(execFile)(process.execPath, ['--conditions=@signalbox/source', program]);
	t.deepEqual(stdout.trimEnd().split('\n'), [
		'get_order, cancel_order',
		'get_order 7: order 7: open',
		'cancel_order 7: order 7: cancelled',
		'cancel_order 8: not done',
	]);
});

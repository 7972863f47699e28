import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';

test('a held call runs once, after a person approved it, in under 60 lines and without a server', async (t) => {
	const program = fileURLToPath(new URL('main.ts', import.meta.url));
	t.true((await readFile(program, 'utf8')).split('\n').length <= 60);
	const {stdout} = await promisify(execFile)(process.execPath, ['--conditions=@signalbox/source', program]);
	t.is(stdout, 'held, approved by a person, ran once\n');
});

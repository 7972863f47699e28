import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';

test('a push reaches three services by rules, verified on its way in and signed on its way out, in under 100 lines', async (t) => {
	const program = fileURLToPath(new URL('main.ts', import.meta.url));
	t.true((await readFile(program, 'utf8')).split('\n').length <= 100);
	const {stdout} = await promisify(execFile)(process.execPath, ['--conditions=@signalbox/source', program]);
	t.deepEqual(stdout.trimEnd().split('\n'), [
		'Build main: "refs/heads/main" equals "refs/heads/main"',
		'Tell the team: "push" equals "push"',
		'Keep everything: it has no condition',
	]);
});

import {execFile} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';

test('the generated code is what agent.proto says', async (t) => {
	const script = fileURLToPath(new URL('../scripts/generate.ts', import.meta.url));
	await t.notThrowsAsync(promisify(execFile)(process.execPath, [script, '--check']));
});

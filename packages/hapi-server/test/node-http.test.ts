import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import test from 'ava';

const script = `
	await import('@signalbox/hapi-server');
	console.log(process.moduleLoadList.filter((name) => name.includes('undici')).join());
`;

test('the server does not load the undici of Node.js, which an import of node:http brings', async (t) => {
	const args = ['--input-type=module', '--conditions=@signalbox/source', '--eval', script];
	const {stdout} = await promisify(execFile)(process.execPath, args, {timeout: 30_000, cwd: import.meta.dirname});
	t.is(stdout, '\n');
});

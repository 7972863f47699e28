import {readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {openAgentState} from '../../src/agent/agent-state.ts';
import {temporaryFolder} from './world.ts';

test('an agent finds its id again', async (t) => {
	const folder = join(await temporaryFolder(t), 'state');
	const state = await openAgentState(folder);
	t.is(await state.readId(), '');
	await state.keepId('agent-1');
	await state.release();
	t.is(await (await openAgentState(folder)).readId(), 'agent-1');
	t.is((await stat(join(folder, 'agent-id'))).mode & 0o777, 0o600);
});

test('of two agents in one folder the second is refused, until the first has ended', async (t) => {
	const folder = join(await temporaryFolder(t), 'state');
	const first = await openAgentState(folder);
	await t.throwsAsync(openAgentState(folder), {message: new RegExp(`process ${process.pid}`)});
	await first.release();
	await (await openAgentState(folder)).release();
});

test('what a dead agent locked is taken over', async (t) => {
	const folder = join(await temporaryFolder(t), 'state');
	await openAgentState(folder);
	for (const owner of [{pid: process.pid, started: 'another time'}, {pid: 0}]) {
		await writeFile(join(folder, 'agent.lock'), JSON.stringify(owner));
		await openAgentState(folder);
		t.is(JSON.parse(await readFile(join(folder, 'agent.lock'), 'utf8')).pid, process.pid);
	}
	await writeFile(join(folder, 'agent.lock'), '{"pid":');
	await t.notThrowsAsync(openAgentState(folder));
});

import test from 'ava';
import {until} from '../../../../test/support/mcp/until.ts';
import {isGroupAlive, sendSignal, startOf} from '../../src/agent/processes.ts';
import {startHost} from './world.ts';

test('[AGT-022] a command that takes too long is told to end, and may end as it likes', async (t) => {
	const {run} = await startHost(t);
	const command = `trap 'echo bye; exit 7' TERM; echo ready; while :; do sleep 0.01; done`;
	const {result, stdout} = await run(command, {timeout_ms: 300});
	t.like(result, {outcome: 'TIMED_OUT', exit_code: 7});
	t.is(stdout, 'ready\nbye\n');
});

test('[AGT-022] a command that ignores TERM is killed after the grace, and not before', async (t) => {
	const {start} = await startHost(t);
	const {result, printed, cancel} = start("trap '' TERM; echo ready; while :; do sleep 0.01; done", {
		kill_grace_ms: 300,
	});
	await printed('ready');
	await cancel();
	const {outcome, signal, duration_ms} = await result;
	t.deepEqual([outcome, signal], ['CANCELED', 'SIGKILL']);
	t.true(duration_ms >= 300);
});

test('a grace that comes with the cancel counts', async (t) => {
	const {start} = await startHost(t);
	const {result, printed, cancel} = start("trap '' TERM; echo ready; while :; do sleep 0.01; done", {
		kill_grace_ms: 600_000,
	});
	await printed('ready');
	await cancel(1);
	t.like(await result, {outcome: 'CANCELED', signal: 'SIGKILL'});
});

test('a cancel before the command runs keeps it from running', async (t) => {
	const {start} = await startHost(t);
	const {result, cancel, output} = start('echo ran');
	await cancel();
	t.is((await result).outcome, 'CANCELED');
	t.is(output.stdout(), '');
});

test('a cancel after the exit changes nothing', async (t) => {
	const {start} = await startHost(t);
	const {result, cancel} = start('exit 5');
	await result;
	await cancel();
	t.like(await result, {outcome: 'EXITED', exit_code: 5});
});

test('[AGT-021 AGT-022] of fifty children that ignore TERM none survives, although their parent heeds it', async (t) => {
	const {start} = await startHost(t);
	const command = `for n in $(seq 50); do (trap '' TERM; while :; do sleep 600; done) & done; echo ready; wait`;
	const {result, printed, cancel, survivors} = start(command, {kill_grace_ms: 200});
	await printed('ready');
	t.true((await survivors()).length >= 50);
	await cancel();
	t.like(await result, {outcome: 'CANCELED', signal: 'SIGTERM'});
	t.deepEqual(await survivors(), []);
});

test('[AGT-022] a child in the group that hides its environment is killed with the group', async (t) => {
	const {start} = await startHost(t);
	const command = `env -i sh -c 'trap "" TERM; echo $$; while :; do sleep 0.01; done' & wait`;
	const {result, printed, cancel, output} = start(command, {kill_grace_ms: 100});
	await printed('\n');
	const pid = Number(output.stdout());
	t.teardown(() => sendSignal(pid, 'SIGKILL'));
	t.not(await startOf(pid), undefined);
	await cancel();
	t.is((await result).outcome, 'CANCELED');
	await until(async () => (await startOf(pid)) === undefined, 'its end');
});

test('[AGT-023] a child that left the group is found by its environment and killed', async (t) => {
	const {start} = await startHost(t);
	const {result, printed, cancel, survivors} = start(
		'setsid sh -c \'trap "" TERM HUP; echo escaped; while :; do sleep 600; done\' & wait',
		{kill_grace_ms: 200},
	);
	await printed('escaped');
	await cancel();
	t.is((await result).outcome, 'CANCELED');
	t.deepEqual(await survivors(), []);
});

test('processes of other runs are left alone', async (t) => {
	const {start} = await startHost(t);
	const [one, other] = [start('echo ready; sleep 600'), start('echo ready; sleep 600')];
	await Promise.all([one.printed('ready'), other.printed('ready')]);
	await one.cancel();
	await one.result;
	t.true((await other.survivors()).length > 0);
	await other.cancel();
	t.is((await other.result).outcome, 'CANCELED');
});

test('a child that has ended, and that nobody waited for, keeps no grace going', async (t) => {
	const {start} = await startHost(t);
	// A shell would have waited for it, were it over before the shell became `sleep`.
	const child = "setsid sh -c 'until grep -q sleep /proc/$PPID/comm; do :; done'";
	const {result, printed, output, cancel} = start(`${child} & echo $!; exec sleep 600`);
	await printed('\n');
	const ended = Number(output.stdout());
	await until(async () => (await startOf(ended)) === undefined, 'its end');
	t.true(sendSignal(-ended, 0));
	t.false(await isGroupAlive(ended));
	await cancel();
	t.is((await result).signal, 'SIGTERM');
});

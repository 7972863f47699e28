import {readdir, readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {plainEnvironment, startHost, startOwnAgent, temporaryFolder} from './world.ts';

test('a command ends with its exit code', async (t) => {
	const {run} = await startHost(t);
	for (const code of [0, 1, 42]) {
		const {result} = await run(`exit ${code}`);
		t.like(result, {outcome: 'EXITED', exit_code: code, truncated: false});
		t.is(result.signal, undefined);
	}
});

test('a command that a signal ends says which', async (t) => {
	const {run} = await startHost(t);
	const {result} = await run('kill -9 $$');
	t.like(result, {outcome: 'SIGNALED', signal: 'SIGKILL'});
	t.is(result.exit_code, undefined);
});

test('[AGT-018] the command is a script of mode 0600 that sh runs, gone when it ended', async (t) => {
	const {run, stateFolder} = await startHost(t);
	const {stdout, spec} = await run('stat -c %a "$0"; printf "%s\\n" "$0"; ps -o comm= -p $$; echo \'it is "quoted"\'');
	const script = join(stateFolder, `${spec.execution_id}.1.sh`);
	t.is(stdout, `600\n${script}\nsh\nit is "quoted"\n`);
	t.is((await stat(stateFolder)).mode & 0o777, 0o700);
	t.deepEqual(await readdir(stateFolder), [`${spec.execution_id}.1.json`]);
});

test('[AGT-019] a command that reads its input meets the end at once', async (t) => {
	const {run} = await startHost(t);
	t.is((await run('cat; echo read: $?')).stdout, 'read: 0\n');
});

test('[AGT-020] a command sees the account, the variables of its job, and which run it is; nothing of the agent', async (t) => {
	const {run} = await startHost(t, {agent: startOwnAgent(t, {SECRET_OF_THE_AGENT: 'must not leak'})});
	const {stdout, spec} = await run('exec env', {environment: {GREETING: 'hello; $(reboot)', HOME: '/of/the/job'}});
	t.deepEqual(
		stdout
			.trimEnd()
			.split('\n')
			.filter((line) => !/^(PWD|OLDPWD|SHLVL|_)=/.test(line))
			.sort(),
		[
			'GREETING=hello; $(reboot)',
			'HOME=/of/the/job',
			`PATH=${plainEnvironment.PATH}`,
			`SIGNALBOX_RUN=${spec.execution_id}.1`,
		],
	);
});

test('a command has nothing of what its agent starts it with', async (t) => {
	const {run} = await startHost(t);
	const {stdout, stderr} = await run('set | grep "^go="; echo >&3');
	t.is(stdout, '');
	t.regex(stderr, /3: Bad file descriptor/);
});

test('a variable of a job reaches its command whatever its name', async (t) => {
	const {run} = await startHost(t);
	t.is((await run('echo "$go"', {environment: {go: 'x'}})).stdout, 'x\n');
});

test('a command can open its output by name', async (t) => {
	const {run} = await startHost(t);
	const {stdout, stderr, result} = await run('echo out >/dev/stdout && echo err >/dev/stderr');
	t.deepEqual([stdout, stderr, result.exit_code], ['out\n', 'err\n', 0]);
});

test('[AGT-021] a command leads a process group of its own', async (t) => {
	const {run} = await startHost(t);
	const {stdout} = await run('echo $$; ps -o pgid= -p $$');
	const [pid, group] = stdout.trim().split(/\s+/);
	t.is(group, pid);
	t.not(Number(group), process.pid);
});

test('a command starts in its working_dir, or in the home of the account', async (t) => {
	const {run} = await startHost(t);
	const folder = await temporaryFolder(t);
	t.is((await run('pwd', {working_dir: folder})).stdout, `${folder}\n`);
	t.is((await run('pwd')).stdout, `${plainEnvironment.HOME}\n`);
});

test('a working_dir that is none is said, and what is secret in it is not', async (t) => {
	const {run} = await startHost(t);
	const folder = await temporaryFolder(t);
	const {result} = await run('echo never', {working_dir: join(folder, 'top-secret'), mask: ['top-secret']});
	t.like(result, {outcome: 'SPAWN_ERROR', duration_ms: 0});
	t.is(result.error, `working_dir ${folder}/******** does not exist on this host`);
	t.is((await run('true', {working_dir: '/etc/passwd'})).result.error, 'working_dir /etc/passwd is not a folder');
});

test('what the system refuses to start is a result', async (t) => {
	const {run, stateFolder} = await startHost(t);
	t.is((await run('true', {environment: {A: 'with\0nul'}})).result.outcome, 'SPAWN_ERROR');
	t.is((await run('true', {execution_id: '../../etc/cron.d/x'})).result.outcome, 'SPAWN_ERROR');
	t.deepEqual(
		(await readdir(stateFolder)).filter((name) => !name.endsWith('.json')),
		[],
	);
});

test('what the policy of the host refuses never runs', async (t) => {
	const {run} = await startHost(t, {policy: {max_concurrent: 1, allowed_commands: ['echo *']}});
	t.is((await run('echo fine')).stdout, 'fine\n');
	const {result, stdout} = await run('echo fine; echo more');
	t.is(result.outcome, 'SPAWN_ERROR');
	t.is(result.error, 'the policy of this host does not allow the command (allowed_commands)');
	t.is(stdout, '');
});

test('an attempt runs once, until it was reported, however often it is offered', async (t) => {
	const {start, forget} = await startHost(t);
	const ran = join(await temporaryFolder(t), 'ran');
	const first = start(`echo once >> ${ran}; cat ${ran}`);
	await first.printed('once');
	const again = () => start(`echo twice >> ${ran}`, first.spec).result;
	await t.throwsAsync(again, {message: /started on this host already/});
	t.is((await first.result).outcome, 'EXITED');
	await t.throwsAsync(again, {message: /started on this host already/});
	t.is(await readFile(ran, 'utf8'), 'once\n');
	t.is((await start('true', {...first.spec, command: 'true', attempt: 2}).result).exit_code, 0);
	await forget(first.spec);
	t.is((await start('true', {...first.spec, command: 'true'}).result).exit_code, 0);
});

test('[AGT-024] the run ends on the exit of the command, and drains no longer than it may what a child holds open', async (t) => {
	const {start} = await startHost(t, {drainMs: 50});
	const {result, output, survivors} = start('sleep 600 & echo started; exit 3');
	t.like(await result, {outcome: 'EXITED', exit_code: 3});
	t.is(output.stdout(), 'started\n');
	t.is((await survivors()).length, 1);
});

test('output that a child prints while it is drained is passed on', async (t) => {
	const {run} = await startHost(t);
	t.is((await run('(sleep 0.2; echo later) & echo first')).stdout, 'first\nlater\n');
});

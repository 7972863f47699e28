import {existsSync} from 'node:fs';
import {chmod, readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {until} from '../../../../test/support/mcp/until.ts';
import {AlreadyStartedError} from '../../src/agent/attempt.ts';
import {openJournal} from '../../src/agent/journal.ts';
import {isGroupAlive, startOf} from '../../src/agent/processes.ts';
import {recoverAttempts} from '../../src/agent/recover-attempts.ts';
import {killAgent, specOf, startHost, startOwnAgent, survivorsOf, temporaryFolder} from './world.ts';

const newEntry = {execution_id: 'e-1', attempt: 1, lease_token: 'lease', kill_grace_ms: 100};

const result = {
	outcome: 'EXITED',
	exit_code: 3,
	duration_ms: 12,
	stdout_bytes: 1,
	stderr_bytes: 0,
	truncated: false,
} as const;

/** A journal, with the text of its one entry. */
const openTestJournal = async (t: Parameters<typeof temporaryFolder>[0]) => {
	const folder = join(await temporaryFolder(t), 'state');
	const journal = await openJournal(folder);
	const path = join(folder, 'e-1.1.json');
	const change = async (changes: object) =>
		writeFile(path, JSON.stringify({...JSON.parse(await readFile(path, 'utf8')), ...changes}));
	return {folder, journal, path, change};
};

/** An agent that died. */
const deadAgent = {pid: process.pid, started: 'before'};

test('an entry is a file of mode 0600 in a folder of mode 0700, until it is removed', async (t) => {
	const {folder, journal, path} = await openTestJournal(t);
	await journal.lead(await journal.begin(newEntry), process.pid);
	t.is((await stat(folder)).mode & 0o777, 0o700);
	t.is((await stat(path)).mode & 0o777, 0o600);
	const leader = {pid: process.pid, started: await startOf(process.pid)};
	t.like(JSON.parse(await readFile(path, 'utf8')), {...newEntry, leader});
	await journal.remove(newEntry);
	t.deepEqual(await readdir(folder), []);
});

test('of many who begin an attempt at once one does', async (t) => {
	const {journal} = await openTestJournal(t);
	const begun = await Promise.allSettled(Array.from({length: 20}, () => journal.begin(newEntry)));
	t.is(begun.filter(({status}) => status === 'fulfilled').length, 1);
});

test('a folder that others may change is refused', async (t) => {
	const folder = await temporaryFolder(t);
	await chmod(folder, 0o777);
	await t.throwsAsync(openJournal(folder), {message: `${folder}: others may write to it: chmod go-w`});
});

test('the journal knows the command before it runs', async (t) => {
	const {run, stateFolder} = await startHost(t);
	const {stdout, spec} = await run(`cat ${stateFolder}/*.json; echo; echo $$`);
	const [entry = '', pid] = stdout.split('\n');
	t.like(JSON.parse(entry), {execution_id: spec.execution_id, attempt: 1, leader: {pid: Number(pid)}});
});

test('a command that the barrier does not let run leaves nothing, and may be tried again', async (t) => {
	const {start, run, stateFolder} = await startHost(t);
	const refused = start('echo ran', {barrier: false});
	await t.throwsAsync(refused.result, {message: /was not to run/});
	t.is(refused.output.stdout(), '');
	t.deepEqual(await refused.survivors(), []);
	t.deepEqual(await readdir(stateFolder), []);
	t.is((await run('echo ran', refused.spec)).stdout, 'ran\n');
});

test('[AGT-025] an agent that is started again ends what the dead one ran, and says so', async (t) => {
	const agent = startOwnAgent(t);
	const {start, stateFolder} = await startHost(t, {agent});
	const running = start("trap '' TERM; setsid sleep 600 & echo ready; while :; do sleep 600; done", {
		kill_grace_ms: 100,
	});
	running.result.catch(() => undefined);
	await running.printed('ready');
	await killAgent(agent);
	t.true((await running.survivors()).length >= 2);

	const next = await startHost(t, {stateFolder});
	const {execution_id, lease_token} = running.spec;
	const [recovered, ...others] = await next.recover();
	t.like(recovered, {execution_id, attempt: 1, lease_token, result: {outcome: 'AGENT_RESTARTED'}});
	t.deepEqual(others, []);
	t.deepEqual(await running.survivors(), []);
	await t.throwsAsync(next.start('echo twice', running.spec).result, {message: /started on this host already/});
	await next.forget(running.spec);
	t.deepEqual(await readdir(stateFolder), []);
});

test('a result that was not reported in time is reported by the next agent, which cannot vouch for its output', async (t) => {
	const {kill_grace_ms, ...key} = newEntry;
	for (const [stdout_bytes, truncated] of [
		[1, true],
		[0, false],
	] as const) {
		const {journal, change} = await openTestJournal(t);
		await journal.settle(await journal.begin(newEntry), {...result, stdout_bytes});
		await change({agent: deadAgent});
		t.deepEqual(await recoverAttempts(journal), [{...key, result: {...result, stdout_bytes, truncated}}]);
	}
});

test('what an agent that lives runs is not recovered by another one', async (t) => {
	const {start, stateFolder} = await startHost(t, {agent: startOwnAgent(t)});
	const running = start('echo ready; sleep 600');
	await running.printed('ready');
	t.deepEqual(await (await startHost(t, {stateFolder})).recover(), []);
	t.true((await running.survivors()).length > 0);
	await running.cancel();
	t.is((await running.result).outcome, 'CANCELED');
});

test('a group whose leader started at another time is somebody else, and left alone', async (t) => {
	const {start} = await startHost(t);
	const bystander = start('echo $$; sleep 600');
	await bystander.printed('\n');
	const pid = Number(bystander.output.stdout());
	for (const changes of [
		{agent: deadAgent, leader: {pid, started: '1'}},
		{leader: {pid, started: await startOf(pid)}, boot_id: 'another run of the machine'},
	]) {
		const {journal, change} = await openTestJournal(t);
		await journal.begin(newEntry);
		await change(changes);
		t.like(await recoverAttempts(journal), [{result: {outcome: 'AGENT_RESTARTED'}}]);
		t.true(await isGroupAlive(pid));
	}
	await bystander.cancel();
	await bystander.result;
});

test('of a dead agent no command runs, or ran, that the journal does not know', async (t) => {
	const ran = join(await temporaryFolder(t), 'ran');
	const agent = startOwnAgent(t);
	const {start, stateFolder} = await startHost(t, {agent});
	const specs = Array.from({length: 20}, () => specOf(`basename $0 .1.sh >> ${ran}; sleep 600`));
	for (const spec of specs) start(spec.command, spec).result.catch(() => undefined);
	await until(() => existsSync(ran), 'the first of them running');
	await killAgent(agent);

	const entries = await (await openJournal(stateFolder)).takeOver();
	const known = entries.filter(({leader}) => leader !== undefined).map(({execution_id}) => execution_id);
	const unknown = specs.filter(({execution_id}) => !known.includes(execution_id));
	for (const spec of unknown)
		await until(async () => (await survivorsOf(spec)).length === 0, 'the end of what was about to run');
	for (const id of (await readFile(ran, 'utf8')).trimEnd().split('\n')) t.true(known.includes(id), id);
});

test('what is no entry is passed over', async (t) => {
	const {journal, path} = await openTestJournal(t);
	await writeFile(path, '{"execution_id":');
	t.deepEqual(await journal.takeOver(), []);
});

test('what a dead agent had not written down to its end may be begun again, and nothing else', async (t) => {
	const {journal, path} = await openTestJournal(t);
	for (const text of ['', '{"execution_id":']) {
		await writeFile(path, text);
		await t.throwsAsync(journal.begin(newEntry), {instanceOf: AlreadyStartedError});
		await journal.takeOver();
		await journal.begin(newEntry);
		await journal.takeOver();
		await t.throwsAsync(journal.begin(newEntry), {instanceOf: AlreadyStartedError});
	}
});

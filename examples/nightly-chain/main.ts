import assert from 'node:assert/strict';
import {access, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setInterval} from 'node:timers/promises';
import {SignalboxClient} from '@signalbox/client-sdk';
import {startAgent, startSignalbox} from './local.ts';

const signalbox = await startSignalbox();
const client = new SignalboxClient({baseUrl: signalbox.url});
const account = {email: 'ops@example.com', password: 'correct horse battery staple'};
await client.auth.register({body: account});
await client.signIn(account);
const agent = await startAgent(signalbox, account);

// What is to be kept, where the agent can reach it.
const orders = join(signalbox.directory, 'orders.csv');
await writeFile(orders, 'tea,2\nbiscuits,7\n');

// Each step is a job like any other. Their own schedules are off: only the chain starts them.
const commands = [
	{name: 'Back up', command: 'cp orders.csv backup.csv', condition_type: 'on_success'},
	{name: 'Verify', command: 'cmp orders.csv backup.csv', condition_type: 'on_success'},
	{name: 'Tell somebody', command: 'echo "look at the backup" >> told.txt', condition_type: 'on_failure'},
	{name: 'Leave a mark', command: 'echo "over" >> nights.txt', condition_type: 'always'},
] as const;
const steps = [];
for (const [step_order, {name, command, condition_type}] of commands.entries()) {
	const job = {name, command, working_dir: signalbox.directory, schedule: '@yearly', is_enabled: false};
	const {id} = await client.cron.jobs.create({body: job});
	steps.push({cron_job_id: id, step_order, condition_type, timeout_seconds: 60});
}
const chain = await client.cron.chains.create({
	body: {name: 'Nightly', trigger_type: 'schedule', trigger_schedule: 'every day at 2:30am', steps},
});
assert.match(chain.next_run_at ?? '', /T02:30:00.000Z$/);

/** Starts the chain without waiting for the night. @returns what became of it, once it is over */
const runNow = async () => {
	const {id} = await client.cron.chains.run({path: {id: chain.id}});
	for await (const _ of setInterval(50)) {
		const execution = await client.cron.chainExecutions.get({path: {id}});
		if (execution.status !== 'running') return execution;
	}
	throw new Error('An interval does not end');
};

/** Says how a night went, and fails unless its steps ended like that. */
const expectNight = async (status: string, ...steps: readonly string[]) => {
	const night = await runNow();
	console.log(`${night.chain_name}: ${night.status}`);
	for (const step of night.steps) console.log(`  ${step.job_name}: ${step.status}`);
	assert.deepEqual([night.status, ...night.steps.map((step) => step.status)], [status, ...steps]);
	return night;
};

// A good night: nobody is told.
const good = await expectNight('completed', 'success', 'success', 'skipped', 'success');
assert.equal(await readFile(join(signalbox.directory, 'backup.csv'), 'utf8'), await readFile(orders, 'utf8'));
await assert.rejects(access(join(signalbox.directory, 'told.txt')));

// A bad one: there is nothing to verify, and somebody is told.
await rm(orders);
const bad = await expectNight('failed', 'failed', 'skipped', 'success', 'success');
assert.equal(await readFile(join(signalbox.directory, 'told.txt'), 'utf8'), 'look at the backup\n');

// Both marks are there, and what the backup printed stays with its run.
assert.equal(await readFile(join(signalbox.directory, 'nights.txt'), 'utf8'), 'over\nover\n');
const {output} = await client.cron.executions.get({path: {id: bad.steps[0]?.execution_id ?? ''}});
assert.match(output, /orders\.csv/);
const {data} = await client.cron.chains.executions({path: {id: chain.id}});
assert.deepEqual(
	data.map(({id}) => id),
	[bad.id, good.id],
);

await agent.stop();
await signalbox.stop();

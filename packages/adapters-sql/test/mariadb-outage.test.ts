import {setTimeout as pause, setImmediate as turn} from 'node:timers/promises';
import {DomainError} from '@signalbox/core';
import {buildAccount, buildCallEntry, buildServer} from '@signalbox/core/testing';
import {connectMysql} from '../src/mysql-connection.ts';
import {raw} from '../src/sql.ts';
import {openInstance, testWithInstance} from './support/on-instance.ts';

const reasonOf = async (work: Promise<unknown>): Promise<string> =>
	work.then(
		() => 'resolved',
		(error) => (error instanceof DomainError ? error.reason : String(error)),
	);

const sleep = raw('SELECT SLEEP(60)');
const parallel = async (count: number, start: () => Promise<unknown>) =>
	Promise.all(Array.from({length: count}, async () => reasonOf(start())));

testWithInstance('a server that is killed is used again once it is back, over all connections', async (t, instance) => {
	const database = await openInstance(t, instance);
	t.deepEqual(new Set(await parallel(20, database.ping)), new Set(['resolved']));
	await instance.kill();
	t.deepEqual(new Set(await parallel(20, database.ping)), new Set(['service_unavailable']));
	await instance.restart();
	t.deepEqual(new Set(await parallel(20, database.ping)), new Set(['resolved']));
	t.deepEqual(await database.pending(), []);
});

testWithInstance('what is under way when the server dies is unavailable, wherever it is', async (t, instance) => {
	const connection = await connectMysql({url: instance.url, clockOffset: () => 0, connections: 4});
	t.teardown(connection.close);
	const killed = Promise.withResolvers<void>();
	const work = [
		reasonOf(connection.all(sleep)),
		reasonOf(connection.write(async ({all}) => all(sleep))),
		// Between two statements, and before the commit: nothing is on its way as the connection ends.
		reasonOf(
			connection.write(async ({all}) => {
				await all(raw('SELECT 1'));
				await killed.promise;
				await all(raw('SELECT 1'));
			}),
		),
		reasonOf(connection.write(async () => killed.promise)),
		// They wait for a connection.
		reasonOf(connection.all(raw('SELECT 1'))),
		reasonOf(connection.write(async ({all}) => all(raw('SELECT 1')))),
	];
	await pause(500);
	await instance.kill();
	killed.resolve();
	t.deepEqual(
		await Promise.all(work),
		work.map(() => 'service_unavailable'),
	);
	await instance.restart();
	t.deepEqual(new Set(await parallel(8, async () => connection.all(raw('SELECT 1')))), new Set(['resolved']));
});

testWithInstance(
	'calls are logged again after an outage, and none is lost that was said to be',
	async (t, instance) => {
		const {stores} = await openInstance(t, instance);
		const {user, team} = buildAccount();
		await stores.users.create({user, team});
		const server = buildServer({user_id: user.id, team_id: team.id});
		await stores.mcpServers.create(server, null);
		const logged: string[] = [];
		const log = async () => {
			const entry = buildCallEntry({server});
			await stores.callLog.append(entry);
			logged.push(entry.id);
		};
		t.deepEqual(new Set(await parallel(40, log)), new Set(['resolved']));
		const meanwhile = parallel(2000, log);
		while (logged.length < 300) await turn();
		await instance.kill();
		t.deepEqual(new Set(await meanwhile), new Set(['resolved', 'service_unavailable']));
		t.deepEqual(new Set(await parallel(40, log)), new Set(['service_unavailable']));
		await instance.restart();
		t.deepEqual(new Set(await parallel(40, log)), new Set(['resolved']));
		const kept = await Promise.all(logged.map(async (id) => stores.calls.get([team.id], id)));
		t.deepEqual(
			kept.map((call) => call?.id),
			logged,
		);
	},
);

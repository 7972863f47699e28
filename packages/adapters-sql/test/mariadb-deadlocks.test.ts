import type {Stores} from '@signalbox/core';
import {
	buildAcceptable,
	buildAccount,
	buildCallEntry,
	buildEndpoint,
	buildId,
	buildPlannedDelivery,
	buildServer,
	buildSettlement,
} from '@signalbox/core/testing';
import mysql from 'mysql2/promise';
import type {MariadbInstance} from '../../../test/support/mariadb-instance.ts';
import {openInstance, testWithInstance} from './support/on-instance.ts';

const deadlocksOf = async ({url}: MariadbInstance): Promise<number> => {
	const connection = await mysql.createConnection(url);
	const [rows] = await connection.query("SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'");
	await connection.end();
	return Number((rows as {Value: string}[])[0]?.Value);
};

/** Starts that many at once, each so often. */
const repeat = async (count: number, times: number, work: () => Promise<unknown>): Promise<void> => {
	const loops = Array.from({length: count}, async () => {
		for (let time = 0; time < times; time += 1) await work();
	});
	await Promise.all(loops);
};

const anyOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T;

const destinations = Array.from({length: 8}, (_, index) => `https://d${index}.example.com`);
const month = {from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z'};
const tools = Array.from({length: 8}, (_, index) => `tool_${index}`);

const openThree = async (...place: Parameters<typeof openInstance>) => [
	await openInstance(...place),
	await openInstance(...place),
	await openInstance(...place),
];

const addOwner = async (stores: Stores) => {
	const {user, team} = buildAccount();
	await stores.users.create({user, team});
	return {user_id: user.id, team_id: team.id};
};

testWithInstance(
	'processes that accept, lease and settle at once do not wait for each other in turns',
	async (t, instance) => {
		const databases = await openThree(t, instance);
		const {stores} = anyOf(databases);
		const owner = await addOwner(stores);
		const endpoints = Array.from({length: 4}, () => buildEndpoint(owner));
		for (const endpoint of endpoints) await stores.endpoints.create(endpoint, null);
		const work = databases.map(async ({stores: {intake, deliveries}}) => {
			const limits = {per_destination: 5, lease_seconds: 60};
			const accepting = repeat(16, 20, async () => {
				const planned = buildPlannedDelivery({destination_key: anyOf(destinations)});
				const acceptable = buildAcceptable({endpoint: anyOf(endpoints), outcome: {deliveries: [planned]}});
				const accepted = await intake.accept(acceptable, {ids: [buildId()], ...limits});
				if (accepted.outcome !== 'accepted') return;
				for (const leased of accepted.leased) await deliveries.settle(buildSettlement({leased}));
			});
			let isOver = false;
			const leasing = repeat(2, 1, async () => {
				while (!isOver) {
					const found = await deliveries.lease({attempt_ids: Array.from({length: 10}, buildId), ...limits});
					await Promise.all(found.map(async (leased) => deliveries.settle(buildSettlement({leased}))));
				}
			});
			await accepting.finally(() => {
				isOver = true;
			});
			await leasing;
		});
		await Promise.all(work);
		t.is(await deadlocksOf(instance), 0);
	},
);

testWithInstance(
	'processes that log calls, read and delete them and spend at once do not wait for each other in turns',
	async (t, instance) => {
		const databases = await openThree(t, instance);
		const {stores} = anyOf(databases);
		const owner = await addOwner(stores);
		const servers = Array.from({length: 4}, () => buildServer(owner));
		for (const server of servers) await stores.mcpServers.create(server, null);
		// The first of a month makes its row, at which the others wait.
		const booking = {mcp_server_id: servers[0]?.id ?? '', month: '2026-01', tool_name: 'send', cents: 1};
		await stores.spend.reserve(booking, null);
		const work = databases.map(async ({stores: {callLog, calls, spend}}) => {
			const entry = () => buildCallEntry({server: anyOf(servers), tool_name: anyOf(tools)});
			const logging = repeat(16, 60, async () => callLog.append(entry()));
			const spending = repeat(4, 20, async () => {
				await spend.reserve(booking, null);
				await spend.release(booking);
			});
			const reading = repeat(2, 20, async () => {
				const deleted = entry();
				await callLog.append(deleted);
				await calls.sums(owner.team_id, month);
				await calls.delete([owner.team_id], deleted.id);
			});
			await Promise.all([logging, spending, reading]);
		});
		await Promise.all(work);
		t.is(await deadlocksOf(instance), 0);
	},
);

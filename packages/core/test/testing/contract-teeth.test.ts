import {storeContract} from '@signalbox/core/testing';
import test from 'ava';
import {compositeKey} from '../../src/memory/database.ts';
import {type Fault, failedCases} from './support/failed-cases.ts';

/** Lets others in between a check and its write. */
const interrupted = () => Promise.resolve();

type SeededFault = Readonly<{fault: string; subject: string; caughtBy: string; seed: Fault}>;

const approvalFaults: readonly SeededFault[] = [
	{
		fault: 'settle without the guard `status = pending`',
		subject: 'approvals',
		caughtBy: 'a decided approval is not decided again',
		seed: (_stores, db) => ({
			approvals: {
				settle: async (team_ids, id, decision) => {
					const row = db.approvals.get(id);
					if (row === undefined || !team_ids.includes(row.team_id) || row.expires_at <= db.now()) return undefined;
					db.approvals.set(id, {...row, ...decision, decided_at: db.now()});
					return db.approvals.get(id);
				},
			},
		}),
	},
	{
		fault: 'settle that waits between its check and its write',
		subject: 'approvals',
		caughtBy: 'of parallel decisions exactly one is made',
		seed: (_stores, db) => ({
			approvals: {
				settle: async (team_ids, id, decision) => {
					const row = db.approvals.get(id);
					if (row?.status !== 'pending' || !team_ids.includes(row.team_id)) return undefined;
					await interrupted();
					db.approvals.set(id, {...row, ...decision, decided_at: db.now()});
					return db.approvals.get(id);
				},
			},
		}),
	},
	{
		fault: 'settle that asks for no team',
		subject: 'approvals',
		caughtBy: 'only members of the team of the server decide',
		seed: (stores, db) => ({
			approvals: {
				settle: (_, id, decision) => stores.approvals.settle([db.approvals.get(id)?.team_id ?? ''], id, decision),
			},
		}),
	},
	{
		fault: 'consume that waits between its check and its write',
		subject: 'approvals',
		caughtBy: 'an approved one is consumed once',
		seed: (_stores, db) => ({
			approvals: {
				consume: async (id) => {
					const row = db.approvals.get(id);
					if (row?.status !== 'approved' || row.consumed_at !== null) return false;
					await interrupted();
					db.approvals.set(id, {...row, consumed_at: db.now()});
					return true;
				},
			},
		}),
	},
	{
		fault: 'consume that does not ask whether it was approved',
		subject: 'approvals',
		caughtBy: 'one that is pending, rejected, expired or unknown is never consumed',
		seed: (_stores, db) => ({
			approvals: {
				consume: async (id) => {
					const row = db.approvals.get(id);
					if (row === undefined || row.consumed_at !== null) return false;
					db.approvals.set(id, {...row, consumed_at: db.now()});
					return true;
				},
			},
		}),
	},
	{
		fault: 'a continuation that is counted after a wait',
		subject: 'approvals',
		caughtBy: 'each continuation of an execution is made once',
		seed: (stores, db) => ({
			approvals: {
				consume: async (id, continuation) => {
					const row = db.approvals.get(id);
					if (continuation === undefined || row?.runs !== continuation.run)
						return stores.approvals.consume(id, continuation);
					await interrupted();
					db.approvals.set(id, {...row, runs: row.runs + 1});
					return true;
				},
			},
		}),
	},
	{
		fault: 'a gap that never ends',
		subject: 'approvals',
		caughtBy: 'between two rounds the caller counts as waiting, after the gap as gone',
		seed: (stores) => ({
			approvals: {
				detach: async (id, after_seconds = 0) => {
					if (after_seconds === 0) await stores.approvals.detach(id);
				},
			},
		}),
	},
	{
		fault: 'max_pending that is counted before the write',
		subject: 'approvals',
		caughtBy: 'a server has at most max_pending of them open',
		seed: (stores, db) => ({
			approvals: {
				open: async (approval, max_pending) => {
					const pending = [...db.approvals.values()].filter(
						(row) => row.mcp_server_id === approval.mcp_server_id && row.status === 'pending',
					);
					await interrupted();
					return pending.length >= max_pending ? undefined : stores.approvals.open(approval, 1000);
				},
			},
		}),
	},
];

const attendanceFaults: readonly SeededFault[] = [
	{
		fault: 'a release that asks not whether the approval was consumed',
		subject: 'attendance',
		caughtBy: 'a consumed one is never detached',
		seed: (_stores, db) => ({
			attendance: {release: async (id) => db.attendance.delete(id)},
		}),
	},
	{
		fault: 'a release that asks not whether the attendance lapsed',
		subject: 'attendance',
		caughtBy: 'a lapsed one is detached once',
		seed: (_stores, db) => ({
			attendance: {
				release: async (id) => db.approvals.get(id)?.consumed_at === null && db.attendance.delete(id),
			},
		}),
	},
	{
		fault: 'an outcome that is logged over another one',
		subject: 'attendance',
		caughtBy: 'an outcome is logged once',
		seed: (stores, db) => ({
			callLog: {
				append: async (entry) => {
					db.calls.delete(entry.id);
					await stores.callLog.append(entry);
				},
			},
		}),
	},
];

const sessionFaults: readonly SeededFault[] = [
	{
		fault: 'rotate that waits between its check and its write',
		subject: 'sessions',
		caughtBy: 'of 200 parallel rotations of one token',
		seed: (stores, db) => ({
			sessions: {
				rotate: async (exchange) => {
					const before = db.refreshTokens.get(exchange.token_digest);
					await interrupted();
					if (before?.used_at === null) db.refreshTokens.set(exchange.token_digest, before);
					return stores.sessions.rotate(exchange);
				},
			},
		}),
	},
	{
		fault: 'rotate that knows no grace',
		subject: 'sessions',
		caughtBy: 'within the grace a used token is answered the same successor',
		seed: (stores) => ({
			sessions: {
				rotate: (exchange) => stores.sessions.rotate({...exchange, grace_seconds: 0}),
			},
		}),
	},
	{
		fault: 'rotate that leaves the family alone after a replay',
		subject: 'sessions',
		caughtBy: 'after the grace a used token is reused: its family is revoked',
		seed: (stores, db) => ({
			sessions: {
				rotate: async (exchange) => {
					const before = new Map(db.refreshTokens);
					const answer = await stores.sessions.rotate(exchange);
					if (answer.outcome === 'reused') for (const [digest, row] of before) db.refreshTokens.set(digest, row);
					return answer;
				},
			},
		}),
	},
	{
		fault: 'a logout that revokes only the token it was given',
		subject: 'sessions',
		caughtBy: 'a revoked family is refused, its head and its used tokens',
		seed: (_stores, db) => ({
			sessions: {
				revokeFamily: async (digest) => {
					const row = db.refreshTokens.get(digest);
					if (row !== undefined) db.refreshTokens.set(digest, {...row, revoked: true});
				},
			},
		}),
	},
];

const deviceLoginFaults: readonly SeededFault[] = [
	{
		fault: 'a confirmation that waits between its check and its write',
		subject: 'device logins',
		caughtBy: 'of parallel confirmations one counts',
		seed: (stores) => ({
			deviceLogins: {
				confirm: async (id, confirmation) => {
					const isPending = (await stores.deviceLogins.pending(id)) !== undefined;
					await interrupted();
					await stores.deviceLogins.confirm(id, confirmation);
					return isPending;
				},
			},
		}),
	},
	{
		fault: 'a code that is redeemed whatever the challenge',
		subject: 'device logins',
		caughtBy: 'another code, another challenge or another login redeems nothing',
		seed: (stores, db) => ({
			deviceLogins: {
				redeem: (id, proof) => {
					const code_challenge = db.deviceLogins.get(id)?.code_challenge ?? '';
					return stores.deviceLogins.redeem(id, {...proof, code_challenge});
				},
			},
		}),
	},
	{
		fault: 'a code that lives as long as its login',
		subject: 'device logins',
		caughtBy: 'a code holds for its lifetime from the confirmation, not longer',
		seed: (stores) => ({
			deviceLogins: {
				confirm: (id, confirmation) => stores.deviceLogins.confirm(id, {...confirmation, lifetime_seconds: 600}),
			},
		}),
	},
];

const otherFaults: readonly SeededFault[] = [
	{
		fault: 'a budget that is read before the write',
		subject: 'spend',
		caughtBy: 'parallel reservations never exceed the budget',
		seed: (stores, db) => ({
			spend: {
				reserve: async (reservation, budget_cents) => {
					const sum = [...db.spend.values()].reduce((total, row) => total + row.cents, reservation.cents);
					await interrupted();
					return budget_cents !== null && sum > budget_cents ? undefined : stores.spend.reserve(reservation, null);
				},
			},
		}),
	},
	{
		fault: 'slugs without regard to case',
		subject: 'mcp servers',
		caughtBy: 'slugs that differ in case or a trailing blank are different',
		seed: (_stores, db) => ({
			mcpServers: {
				bySlug: async (slug) =>
					[...db.mcpServers.values()].find((server) => server.slug.toLowerCase() === slug.toLowerCase()),
			},
		}),
	},
	{
		fault: 'a deleted server that leaves its calls behind',
		subject: 'mcp servers',
		caughtBy: 'a deleted server takes its calls, rollups, approvals and spend with it',
		seed: (stores, db) => ({
			mcpServers: {
				delete: async (team_ids, id) => {
					const calls = new Map(db.calls);
					const deleted = await stores.mcpServers.delete(team_ids, id);
					for (const [key, call] of calls) db.calls.set(key, call);
					return deleted;
				},
			},
		}),
	},
	{
		fault: 'rollups that a deletion does not correct',
		subject: 'call rollups',
		caughtBy: 'a deleted entry is taken out of them',
		seed: (_stores, db) => ({
			calls: {
				delete: async (_, id) => {
					const {mcp_server_id, team_id} = db.calls.get(id) ?? {mcp_server_id: '', team_id: ''};
					return {mcp_server_id, team_id};
				},
			},
		}),
	},
	{
		fault: 'a retention that deletes what is pending past its time',
		subject: 'retention',
		caughtBy: 'never while they are pending',
		seed: (stores, db) => ({
			retention: {
				purgeApprovals: async (retention, limit) => {
					for (const [id, row] of db.approvals) db.approvals.set(id, {...row, status: 'expired'});
					return stores.retention.purgeApprovals(retention, limit);
				},
			},
		}),
	},
	{
		fault: 'pages of equally old entries in no order',
		subject: 'audit',
		caughtBy: 'entries come newest first, equally new ones by id',
		seed: (_stores, db) => ({
			audit: {
				list: async (team_id, page) => {
					const listed = [...db.audit.values()].filter((entry) => entry.team_id === team_id);
					const data = listed.toSorted((a, b) =>
						a.created_at < b.created_at ? 1 : -Number(a.created_at > b.created_at),
					);
					return {...page, data: data.slice(page.offset, page.offset + page.limit), total: listed.length};
				},
			},
		}),
	},
	{
		fault: 'an idempotency key that is looked up before it is claimed',
		subject: 'idempotency',
		caughtBy: 'of parallel requests with one key exactly one is fresh',
		seed: (stores, db) => ({
			idempotency: {
				begin: async (user_id, key, digest) => {
					const known = db.idempotency.has(compositeKey(user_id, key));
					await interrupted();
					const answer = await stores.idempotency.begin(user_id, key, digest);
					return known ? answer : {state: 'fresh'};
				},
			},
		}),
	},
	{
		fault: 'a store that hands out its own rows',
		subject: 'records',
		caughtBy: 'what a caller does to a record it gave or got changes nothing',
		seed: (_stores, db) => ({
			mcpServers: {get: async (_, id) => db.mcpServers.get(id)},
		}),
	},
	{
		fault: 'a taken address that is looked up before the account is written',
		subject: 'users',
		caughtBy: 'of parallel registrations of one address',
		seed: (stores, db) => ({
			users: {
				create: async (account) => {
					const taken = await stores.users.byEmail(account.user.email_key);
					await interrupted();
					if (taken === undefined) db.users.set(account.user.id, account.user);
					return taken === undefined || stores.users.create(account);
				},
			},
		}),
	},
];

const channelFaults: readonly SeededFault[] = [
	{
		fault: 'a notification that is written without its place in the outbox',
		subject: 'notification outbox',
		caughtBy: 'a notification waits if an active channel of its user wants its type',
		seed: (_stores, db) => ({
			notifications: {
				append: async (...appended) => {
					for (const each of appended) db.notifications.set(each.id, each);
				},
			},
		}),
	},
	{
		fault: 'channels that are counted before the write',
		subject: 'notification channels',
		caughtBy: 'also under parallel calls',
		seed: (stores, db) => ({
			notificationChannels: {
				create: async (channel, most) => {
					const owned = [...db.notificationChannels.values()].filter(({user_id}) => user_id === channel.user_id);
					await interrupted();
					return stores.notificationChannels.create(channel, owned.length < most ? most + 1000 : 0);
				},
			},
		}),
	},
];

for (const {fault, subject, caughtBy, seed} of [
	...approvalFaults,
	...attendanceFaults,
	...sessionFaults,
	...deviceLoginFaults,
	...otherFaults,
	...channelFaults,
]) {
	test(`the contract catches ${fault}`, async (t) => {
		const failed = await failedCases(subject, seed);
		t.true(
			failed.some((title) => title.includes(caughtBy)),
			`not caught by "${caughtBy}", only by: ${failed.join('; ')}`,
		);
	});
}

test('the contract finds nothing wrong with the stores that no fault was seeded into', async (t) => {
	t.deepEqual(await failedCases('', () => ({})), []);
});

test('cases that need what an adapter lacks are registered as skipped, with its reason', (t) => {
	const registered: string[] = [];
	const skipped: string[] = [];
	const collect = Object.assign((title: string) => registered.push(title), {
		skip: (title: string) => skipped.push(title),
	});
	const open = () => Promise.reject(new Error('not opened'));
	storeContract(collect, {name: 'loose', open, lacks: {exact_text: 'its collation folds case'}});
	t.true(skipped.length > 5);
	t.true(skipped.every((title) => title.endsWith('(its collation folds case)')));
	t.true(registered.length > 150);
	t.false(registered.some((title) => title.includes('to the last character')));
});

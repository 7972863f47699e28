import {DomainError, type NewAccount, type UserStore} from '@signalbox/core';
import {type Connection, count, first, type Transaction} from '../connection.ts';
import {guardedUpdate} from '../guarded-update.ts';
import {type Sql, sql} from '../sql.ts';
import {memberships, teams} from './teams.table.ts';
import {users} from './users.table.ts';

const selectUser = (condition: Sql): Sql => sql`SELECT ${users.columns} FROM users WHERE ${condition}`;

/** Uses the invite up, unless whoever made it is disabled. @returns the team it is for. */
const consumeInvite = async (transaction: Transaction, digest: string): Promise<string> => {
	const now = transaction.now();
	const invite = await guardedUpdate(
		transaction,
		sql`UPDATE invites SET used_at = ${now} WHERE token_digest = ${digest} AND used_at IS NULL AND expires_at > ${now}
			AND EXISTS (SELECT 1 FROM users u WHERE u.id = invites.created_by AND u.disabled = 0)`,
		sql`SELECT team_id FROM invites WHERE token_digest = ${digest}`,
	);
	if (!invite)
		throw new DomainError('forbidden', {
			message: 'The invite is unknown, used or expired, or is of somebody who is disabled.',
		});
	return String(invite.team_id);
};

const isFirst = async (transaction: Transaction): Promise<boolean> => {
	// No user's row to queue at yet: the ledger of migrations has one.
	await transaction.all(sql`SELECT name FROM schema_migrations ${transaction.dialect.forUpdate}`);
	return (await count(transaction, sql`SELECT COUNT(*) AS count FROM users`)) === 0;
};

const createAccount = async (transaction: Transaction, account: NewAccount): Promise<boolean> => {
	const {user, team, invite_digest, only_if_first} = account;
	if (only_if_first && !(await isFirst(transaction))) return false;
	// The invite first: who has none must not learn which addresses have accounts.
	const invited_to = invite_digest === undefined ? undefined : await consumeInvite(transaction, invite_digest);
	await transaction.run(users.insert([user]));
	await transaction.run(teams.insert([team]));
	const joined = {user_id: user.id, created_at: user.created_at};
	await transaction.run(memberships.insert([{...joined, team_id: team.id, role: 'owner'}]));
	if (invited_to !== undefined) {
		await transaction.run(memberships.insert([{...joined, team_id: invited_to, role: 'member'}]));
	}
	return true;
};

/** Ends every sign-in of the user. */
const revokeFamilies = (transaction: Transaction, user_id: string): Sql =>
	sql`UPDATE session_families SET revoked_at = ${transaction.now()} WHERE user_id = ${user_id} AND revoked_at IS NULL`;

export const createUserStore = (connection: Connection): UserStore => {
	const find = async (condition: Sql) => {
		const row = await first(connection, selectUser(condition));
		return row && users.read(row);
	};
	return {
		create: async (account) => connection.write(async (transaction) => createAccount(transaction, account)),
		byId: async (user_id) => find(sql`id = ${user_id}`),
		byEmail: async (email_key) => find(sql`email_key = ${email_key}`),
		update: async (user_id, change, now) =>
			connection.write(async (transaction) => {
				const update = sql`UPDATE users SET ${users.set({...change, updated_at: now})} WHERE id = ${user_id}`;
				const row = await guardedUpdate(transaction, update, selectUser(sql`id = ${user_id}`));
				return row && users.read(row);
			}),
		changePassword: async (user_id, {from, to}, now) =>
			connection.write(async (transaction) => {
				const unchanged = from === undefined ? sql`1 = 1` : sql`password_hash = ${from}`;
				const change = users.set({password_hash: to, updated_at: now});
				const changed = await transaction.run(sql`UPDATE users SET ${change} WHERE id = ${user_id} AND ${unchanged}`);
				if (changed > 0) await transaction.run(revokeFamilies(transaction, user_id));
				return changed > 0;
			}),
		all: async () => {
			const rows = await connection.all(sql`SELECT ${users.columns} FROM users ORDER BY created_at, id`);
			return rows.map(users.read);
		},
	};
};

import {plusSeconds, type RefreshToken, type Rotation, type SessionStore} from '@signalbox/core';
import {type Connection, count, first, storeNow, type Transaction} from '../connection.ts';
import {sql} from '../sql.ts';
import {storedInstant} from '../table.ts';
import {refreshTokens, sessionFamilies} from './sessions.table.ts';

type Exchange = Parameters<SessionStore['rotate']>[0];
type NewToken = Parameters<SessionStore['open']>[0];

const columns = refreshTokens.columnsOf('t');

const insertToken = async (
	transaction: Transaction,
	{lifetime_seconds, ...token}: NewToken,
	created_at: string,
): Promise<void> => {
	const expires_at = plusSeconds(created_at, lifetime_seconds);
	await transaction.run(
		refreshTokens.insert([{...token, created_at, expires_at, used_at: null, successor_digest: null}]),
	);
};

/** The token, if it is neither expired nor of a revoked family. Parallel exchanges queue at the family's row. */
const findUsable = async (transaction: Transaction, token_digest: string): Promise<RefreshToken | undefined> => {
	const row = await first(
		transaction,
		sql`SELECT ${columns} FROM refresh_tokens t JOIN session_families f ON f.id = t.family_id
			WHERE t.token_digest = ${token_digest} AND t.expires_at > ${transaction.now()} AND f.revoked_at IS NULL
			${transaction.dialect.forUpdate}`,
	);
	return row && refreshTokens.read(row);
};

const exchangeHead = async (transaction: Transaction, head: RefreshToken, exchange: Exchange): Promise<Rotation> => {
	const {user_id, family_id} = head;
	const {successor_id, successor_digest, lifetime_seconds} = exchange;
	const rotated_at = await storeNow(transaction);
	const used = refreshTokens.set({used_at: rotated_at, successor_digest});
	await transaction.run(sql`UPDATE refresh_tokens SET ${used} WHERE id = ${head.id} AND used_at IS NULL`);
	const successor = {id: successor_id, family_id, user_id, token_digest: successor_digest, lifetime_seconds};
	await insertToken(transaction, successor, rotated_at);
	return {outcome: 'rotated', user_id, family_id, successor_digest, rotated_at};
};

const revoke = async (transaction: Transaction, family_id: string): Promise<void> => {
	const now = transaction.now();
	await transaction.run(
		sql`UPDATE session_families SET revoked_at = ${now} WHERE id = ${family_id} AND revoked_at IS NULL`,
	);
};

const presentAgain = async (transaction: Transaction, token: RefreshToken, grace: number): Promise<Rotation> => {
	const {user_id, family_id, used_at, successor_digest} = token;
	if (used_at !== null && successor_digest !== null && (await storeNow(transaction)) < plusSeconds(used_at, grace)) {
		return {outcome: 'rotated', user_id, family_id, successor_digest, rotated_at: used_at};
	}
	await revoke(transaction, family_id);
	return {outcome: 'reused', user_id, family_id};
};

const rotate = async (transaction: Transaction, exchange: Exchange): Promise<Rotation> => {
	const token = await findUsable(transaction, exchange.token_digest);
	if (!token) return {outcome: 'refused'};
	if (token.used_at === null) return exchangeHead(transaction, token, exchange);
	return presentAgain(transaction, token, exchange.grace_seconds);
};

/** Also of families that go on: each exchange leaves a token behind. */
const purge = async (transaction: Transaction): Promise<number> => {
	const now = storedInstant(await storeNow(transaction));
	const expired = sql`FROM refresh_tokens t WHERE t.expires_at <= ${now}`;
	const purged = await count(transaction, sql`SELECT COUNT(*) AS count ${expired}`);
	if (purged === 0) return 0;
	const living = sql`SELECT 1 FROM refresh_tokens l WHERE l.family_id = t.family_id AND l.expires_at > ${now}`;
	const values = sql`SELECT t.family_id AS value ${expired} AND NOT EXISTS (${living})`;
	// Their tokens go with them.
	await transaction.run(transaction.dialect.deleteWhereIn({table: 'session_families', column: 'id', values}));
	await transaction.run(sql`DELETE FROM refresh_tokens WHERE expires_at <= ${now}`);
	return purged;
};

export const createSessionStore = (connection: Connection): SessionStore => ({
	open: async (token) =>
		connection.write(async (transaction) => {
			const {family_id, user_id} = token;
			await transaction.run(sessionFamilies.insert([{id: family_id, user_id, revoked_at: null}]));
			await insertToken(transaction, token, await storeNow(transaction));
		}),
	rotate: async (exchange) => connection.write(async (transaction) => rotate(transaction, exchange)),
	revokeFamily: async (token_digest) =>
		connection.write(async (transaction) => {
			const row = await first(
				transaction,
				sql`SELECT family_id FROM refresh_tokens WHERE token_digest = ${token_digest}`,
			);
			if (row) await revoke(transaction, String(row.family_id));
		}),
	active: async (user_id) => {
		const rows = await connection.all(
			sql`SELECT ${columns} FROM session_families f JOIN refresh_tokens t ON t.family_id = f.id
				WHERE f.user_id = ${user_id} AND f.revoked_at IS NULL AND t.used_at IS NULL
				AND t.expires_at > ${connection.now()} ORDER BY t.created_at, t.id`,
		);
		return rows.map(refreshTokens.read);
	},
	purge: async () => connection.write(purge),
});

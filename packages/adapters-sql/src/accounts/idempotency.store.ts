import {createHash} from 'node:crypto';
import {type IdempotencyStore, type IdempotentAnswer, plusSeconds} from '@signalbox/core';
import {type Connection, first, storeNow, type Transaction} from '../connection.ts';
import {lockRow} from '../lock-rows.ts';
import {sql} from '../sql.ts';
import type {Row} from '../table.ts';
import {idempotentAnswers} from './idempotency.table.ts';

type Claim = Readonly<{user_id: string; key_digest: string}>;

const keptSeconds = 24 * 3600;

/** Callers choose the key freely: its digest is as unique, and no collation can take two keys for one. */
const claimOf = (user_id: string, key: string): Claim => ({
	user_id,
	key_digest: createHash('sha256').update(key).digest('base64url'),
});

const ofClaim = ({user_id, key_digest}: Claim) => sql`user_id = ${user_id} AND key_digest = ${key_digest}`;

const left = (row: Row, request_digest: string): Awaited<ReturnType<IdempotencyStore['begin']>> => {
	const earlier = idempotentAnswers.read(row);
	if (earlier.request_digest !== request_digest) return {state: 'mismatch'};
	const {status, body} = earlier;
	return status === null || body === null ? {state: 'running'} : {state: 'done', answer: {status, body}};
};

const begin = async (transaction: Transaction, claim: Claim, request_digest: string) => {
	// Parallel requests of a user queue here: there may be no row of the claim yet to queue at.
	await lockRow(transaction, 'users', claim.user_id);
	const expired = sql`expires_at <= ${transaction.now()}`;
	await transaction.run(sql`DELETE FROM idempotent_answers WHERE ${ofClaim(claim)} AND ${expired}`);
	const select = sql`SELECT ${idempotentAnswers.columns} FROM idempotent_answers WHERE ${ofClaim(claim)}`;
	const earlier = await first(transaction, select);
	if (earlier) return left(earlier, request_digest);
	const expires_at = plusSeconds(await storeNow(transaction), keptSeconds);
	const fresh = {...claim, request_digest, expires_at, status: null, body: null};
	await transaction.run(idempotentAnswers.insert([fresh]));
	return {state: 'fresh'} as const;
};

const complete = async (transaction: Transaction, claim: Claim, {status, body}: IdempotentAnswer): Promise<void> => {
	const change = idempotentAnswers.set({status, body});
	await transaction.run(sql`UPDATE idempotent_answers SET ${change} WHERE ${ofClaim(claim)}`);
};

export const createIdempotencyStore = (connection: Connection): IdempotencyStore => ({
	begin: async (user_id, key, request_digest) =>
		connection.write(async (transaction) => begin(transaction, claimOf(user_id, key), request_digest)),
	complete: async (user_id, key, answer) =>
		connection.write(async (transaction) => complete(transaction, claimOf(user_id, key), answer)),
	forget: async (user_id, key) => {
		const claim = ofClaim(claimOf(user_id, key));
		await connection.write(async (transaction) =>
			transaction.run(sql`DELETE FROM idempotent_answers WHERE ${claim} AND status IS NULL`),
		);
	},
	purge: async (kid) =>
		connection.write(async (transaction) => {
			const expired = await transaction.run(
				sql`DELETE FROM idempotent_answers WHERE expires_at <= ${transaction.now()}`,
			);
			if (kid === undefined) return expired;
			return expired + (await transaction.run(sql`DELETE FROM idempotent_answers WHERE body_kid <> ${kid}`));
		}),
});

import type {IdempotencyStore} from '../../ports/index.ts';
import {plusSeconds} from '../../values/instant.ts';
import {compositeKey, type IdempotencyRow, type MemoryDatabase} from '../database.ts';
import {copyOf, deleteWhere} from '../rows.ts';

const keptSeconds = 24 * 3600;

export const createIdempotencyStore = (db: MemoryDatabase): IdempotencyStore => {
	const isExpired = (row: IdempotencyRow) => row.expires_at <= db.now();
	return {
		begin: async (user_id, key, request_digest) => {
			const claim = compositeKey(user_id, key);
			const earlier = db.idempotency.get(claim);
			if (earlier === undefined || isExpired(earlier)) {
				const expires_at = plusSeconds(db.now(), keptSeconds);
				db.idempotency.set(claim, {request_digest, expires_at, answer: undefined});
				return {state: 'fresh'};
			}
			if (earlier.request_digest !== request_digest) return {state: 'mismatch'};
			return earlier.answer === undefined ? {state: 'running'} : {state: 'done', answer: copyOf(earlier.answer)};
		},
		complete: async (user_id, key, answer) => {
			const claim = compositeKey(user_id, key);
			const row = db.idempotency.get(claim);
			if (row !== undefined) db.idempotency.set(claim, {...row, answer: copyOf(answer)});
		},
		forget: async (user_id, key) => {
			const claim = compositeKey(user_id, key);
			if (db.idempotency.get(claim)?.answer === undefined) db.idempotency.delete(claim);
		},
		purge: async (kid) => {
			const isSealedOtherwise = ({answer}: IdempotencyRow) =>
				kid !== undefined && answer !== undefined && answer.body.kid !== kid;
			return deleteWhere(db.idempotency, (row) => isExpired(row) || isSealedOtherwise(row));
		},
	};
};

import type {Sealed} from '@signalbox/core';
import {defineTable, instant, nullable, number, sealed, text} from '../table.ts';

/** A claim on a key; `status` and `body` are null while its request still runs. */
type ClaimedKey = Readonly<{
	user_id: string;
	key_digest: string;
	request_digest: string;
	expires_at: string;
	status: number | null;
	body: Sealed | null;
}>;

export const idempotentAnswers = defineTable<ClaimedKey>('idempotent_answers', {
	user_id: text(),
	key_digest: text(),
	request_digest: text(),
	expires_at: instant,
	status: nullable(number),
	body: nullable(sealed),
});

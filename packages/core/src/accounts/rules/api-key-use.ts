import {type Instant, millisecondsOf} from '../../values/instant.ts';
import type {ApiKey} from '../model/api-key.ts';

/** `last_used_at` is a hint for people: a write for each request would cost more than it tells. */
const touchEveryMilliseconds = 60_000;

/** A key without `expires_at` never expires. */
export const hasExpired = ({expires_at}: Pick<ApiKey, 'expires_at'>, now: Instant): boolean =>
	expires_at !== null && expires_at <= now;

/** True when `last_used_at` lies far enough back to be written anew. */
export const isTouchDue = ({last_used_at}: Pick<ApiKey, 'last_used_at'>, now: Instant): boolean =>
	last_used_at === null || millisecondsOf(now) - millisecondsOf(last_used_at) >= touchEveryMilliseconds;

import type {RefreshToken, Rotation} from '../../accounts/model/session.ts';
import type {SessionStore} from '../../ports/index.ts';
import {plusSeconds} from '../../values/instant.ts';
import {revokeTokens} from '../cascades.ts';
import type {MemoryDatabase, RefreshTokenRow} from '../database.ts';
import {deleteWhere, oldestFirst, rowsWhere} from '../rows.ts';

type Exchange = Parameters<SessionStore['rotate']>[0];
type NewToken = Parameters<SessionStore['open']>[0];

const tokenOf = ({revoked: _, ...token}: RefreshTokenRow): RefreshToken => token;

const addToken = (db: MemoryDatabase, {lifetime_seconds, ...token}: NewToken): void => {
	const created_at = db.now();
	const expires_at = plusSeconds(created_at, lifetime_seconds);
	const unused = {used_at: null, successor_digest: null, revoked: false};
	db.refreshTokens.set(token.token_digest, {...token, created_at, expires_at, ...unused});
};

const exchangeHead = (db: MemoryDatabase, head: RefreshTokenRow, exchange: Exchange): Rotation => {
	const {user_id, family_id, token_digest} = head;
	const {successor_id, successor_digest, lifetime_seconds} = exchange;
	const rotated_at = db.now();
	db.refreshTokens.set(token_digest, {...head, used_at: rotated_at, successor_digest});
	addToken(db, {id: successor_id, family_id, user_id, token_digest: successor_digest, lifetime_seconds});
	return {outcome: 'rotated', user_id, family_id, successor_digest, rotated_at};
};

const presentAgain = (db: MemoryDatabase, token: RefreshTokenRow, grace_seconds: number): Rotation => {
	const {user_id, family_id, used_at, successor_digest} = token;
	if (used_at !== null && successor_digest !== null && db.now() < plusSeconds(used_at, grace_seconds)) {
		return {outcome: 'rotated', user_id, family_id, successor_digest, rotated_at: used_at};
	}
	revokeTokens(db, {family_id});
	return {outcome: 'reused', user_id, family_id};
};

const rotate = (db: MemoryDatabase, exchange: Exchange): Rotation => {
	const token = db.refreshTokens.get(exchange.token_digest);
	if (token === undefined || token.revoked || token.expires_at <= db.now()) return {outcome: 'refused'};
	return token.used_at === null ? exchangeHead(db, token, exchange) : presentAgain(db, token, exchange.grace_seconds);
};

const purgeExpired = (db: MemoryDatabase): number => {
	const now = db.now();
	return deleteWhere(db.refreshTokens, (row) => row.expires_at <= now);
};

export const createSessionStore = (db: MemoryDatabase): SessionStore => ({
	open: async (token) => addToken(db, token),
	rotate: async (exchange) => rotate(db, exchange),
	revokeFamily: async (token_digest) => {
		const token = db.refreshTokens.get(token_digest);
		if (token !== undefined) revokeTokens(db, {family_id: token.family_id});
	},
	active: async (user_id) => {
		const now = db.now();
		const usable = (row: RefreshTokenRow) => row.used_at === null && !row.revoked && row.expires_at > now;
		return rowsWhere(db.refreshTokens, (row) => row.user_id === user_id && usable(row))
			.sort(oldestFirst)
			.map(tokenOf);
	},
	purge: async () => purgeExpired(db),
});

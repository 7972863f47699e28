import {DatabaseSync} from 'node:sqlite';
import {type AuditEntry, type AuditStore, type Clock, type IdempotencyStore, plusSeconds} from '@signalbox/core';

/** Seconds for which the first answer to an Idempotency-Key is kept. */
const keptSeconds = 24 * 3600;

const schema = `
	CREATE TABLE IF NOT EXISTS audit (
		id TEXT PRIMARY KEY, team_id TEXT NOT NULL, created_at TEXT NOT NULL, entry TEXT NOT NULL
	) STRICT;
	CREATE INDEX IF NOT EXISTS audit_of_team ON audit (team_id, created_at DESC, id DESC);
	CREATE TABLE IF NOT EXISTS idempotency (
		user_id TEXT NOT NULL, key TEXT NOT NULL, request_digest TEXT NOT NULL, expires_at TEXT NOT NULL, answer TEXT,
		PRIMARY KEY (user_id, key)
	) STRICT`;

const createAuditStore = (db: DatabaseSync): AuditStore => {
	const insert = db.prepare('INSERT INTO audit (id, team_id, created_at, entry) VALUES (?, ?, ?, ?)');
	const count = db.prepare('SELECT count(*) AS total FROM audit WHERE team_id = ?');
	const select = db.prepare(
		'SELECT entry FROM audit WHERE team_id = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?',
	);
	return {
		append: async (entry) => {
			insert.run(entry.id, entry.team_id, entry.created_at, JSON.stringify(entry));
		},
		list: async (team_id, {limit, offset}) => ({
			data: select.all(team_id, limit, offset).map(({entry}): AuditEntry => JSON.parse(String(entry))),
			total: Number(count.get(team_id)?.total),
			limit,
			offset,
		}),
	};
};

/**
 * Every method is one statement: of many that come at once, from this process or another one, the database lets one be
 * first. A port never asks for a transaction that spans two calls.
 */
const createIdempotencyStore = (db: DatabaseSync, {now}: Pick<Clock, 'now'>): IdempotencyStore => {
	// Takes the key if nobody has it, or if whoever had it has expired by the clock of the store.
	const claim = db.prepare(`
		INSERT INTO idempotency (user_id, key, request_digest, expires_at) VALUES (:user_id, :key, :digest, :expires_at)
		ON CONFLICT DO UPDATE SET request_digest = excluded.request_digest, expires_at = excluded.expires_at, answer = NULL
		WHERE idempotency.expires_at <= :now`);
	const find = db.prepare('SELECT request_digest, answer FROM idempotency WHERE user_id = ? AND key = ?');
	const answer = db.prepare('UPDATE idempotency SET answer = ? WHERE user_id = ? AND key = ?');
	const giveBack = db.prepare('DELETE FROM idempotency WHERE user_id = ? AND key = ? AND answer IS NULL');
	const purge = db.prepare(
		`DELETE FROM idempotency WHERE expires_at <= :now OR json_extract(answer, '$.body.kid') <> :kid`,
	);
	return {
		begin: async (user_id, key, digest) => {
			const expires_at = plusSeconds(now(), keptSeconds);
			if (claim.run({user_id, key, digest, expires_at, now: now()}).changes === 1) return {state: 'fresh'};
			const earlier = find.get(user_id, key);
			if (earlier?.request_digest !== digest) return {state: 'mismatch'};
			return earlier.answer === null ? {state: 'running'} : {state: 'done', answer: JSON.parse(String(earlier.answer))};
		},
		complete: async (user_id, key, first) => {
			answer.run(JSON.stringify(first), user_id, key);
		},
		forget: async (user_id, key) => {
			giveBack.run(user_id, key);
		},
		purge: async (kid) => Number(purge.run({now: now(), kid: kid ?? null}).changes),
	};
};

/** Two of the core's stores in a file: what has to be there after a restart, whatever becomes of the rest. */
export const openSqliteStores = (file: string, clock: Pick<Clock, 'now'>) => {
	const db = new DatabaseSync(file);
	db.exec(schema);
	return {
		stores: {audit: createAuditStore(db), idempotency: createIdempotencyStore(db, clock)},
		close: () => db.close(),
	};
};

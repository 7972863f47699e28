import type {LiveEventStore} from '../../ports/index.ts';
import {plusSeconds} from '../../values/instant.ts';
import type {MemoryDatabase} from '../database.ts';
import {copyOf, deleteWhere, rowsWhere} from '../rows.ts';

export const createLiveEventStore = (db: MemoryDatabase): LiveEventStore => {
	const progress = db.liveProgress;
	const isLive = (id: string): boolean => (db.liveListeners.get(id)?.until ?? '') > db.now();
	return {
		append: async (events) => {
			for (const event of events) {
				progress.newest += 1;
				db.liveEvents.set(String(progress.newest), {...copyOf(event), seq: progress.newest, recorded_at: db.now()});
			}
		},
		after: async ({team_id, user_id}, seq, limit) => {
			if (seq < progress.forgotten || seq > progress.newest) return undefined;
			return rowsWhere(db.liveEvents, (row) => row.seq > seq && (row.team_id === team_id || row.user_id === user_id))
				.slice(0, limit)
				.map(({recorded_at: _, ...event}) => copyOf(event));
		},
		listen: async (ids, seconds) => {
			const until = plusSeconds(db.now(), seconds);
			for (const id of ids) {
				const since = isLive(id) ? db.liveListeners.get(id)?.since : undefined;
				db.liveListeners.set(id, {since, until});
			}
			const known = ids.map((id) => db.liveListeners.get(id)?.since);
			return known.includes(undefined) ? undefined : Math.max(...(known as number[]));
		},
		confirm: async (ids) => {
			if (!ids.every(isLive)) return undefined;
			for (const id of ids) {
				const row = db.liveListeners.get(id);
				if (row) db.liveListeners.set(id, {...row, since: row.since ?? progress.newest});
			}
			return progress.newest;
		},
		listeners: async () => ({ids: [...db.liveListeners.keys()].filter(isLive), newest: progress.newest}),
		forget: async () => {
			progress.newest += 1;
			progress.forgotten = progress.newest;
		},
		purge: async (seconds, limit) => {
			const edge = plusSeconds(db.now(), -seconds);
			const old = rowsWhere(db.liveEvents, ({recorded_at}) => recorded_at < edge).slice(0, limit);
			for (const {seq} of old) {
				db.liveEvents.delete(String(seq));
				progress.forgotten = Math.max(progress.forgotten, seq);
			}
			deleteWhere(db.liveListeners, ({until}) => until <= db.now());
			return old.length;
		},
	};
};

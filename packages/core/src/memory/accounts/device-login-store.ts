import type {DeviceLogin} from '../../accounts/model/device-login.ts';
import type {DeviceLoginStore} from '../../ports/index.ts';
import {plusSeconds} from '../../values/instant.ts';
import type {DeviceLoginRow, MemoryDatabase} from '../database.ts';
import {deleteWhere} from '../rows.ts';

const loginOf = ({user_id: _user, code_digest: _code, ...login}: DeviceLoginRow): DeviceLogin => login;

export const createDeviceLoginStore = (db: MemoryDatabase): DeviceLoginStore => {
	const living = (id: string): DeviceLoginRow | undefined => {
		const row = db.deviceLogins.get(id);
		return row !== undefined && row.expires_at > db.now() ? row : undefined;
	};
	const pending = (id: string): DeviceLoginRow | undefined => {
		const row = living(id);
		return row?.user_id === null ? row : undefined;
	};
	return {
		open: async (request, lifetime_seconds) => {
			const created_at = db.now();
			const login = {...request, created_at, expires_at: plusSeconds(created_at, lifetime_seconds)};
			db.deviceLogins.set(login.id, {...login, user_id: null, code_digest: null});
			return login;
		},
		pending: async (id) => {
			const row = pending(id);
			return row && loginOf(row);
		},
		confirm: async (id, {user_id, code_digest, lifetime_seconds}) => {
			const row = pending(id);
			if (row === undefined) return false;
			const expires_at = plusSeconds(db.now(), lifetime_seconds);
			db.deviceLogins.set(id, {...row, user_id, code_digest, expires_at});
			return true;
		},
		redeem: async (id, {code_digest, code_challenge}) => {
			const row = living(id);
			if (row?.code_digest !== code_digest || row.code_challenge !== code_challenge || row.user_id === null)
				return undefined;
			db.deviceLogins.delete(id);
			return {user_id: row.user_id, device_name: row.device_name};
		},
		purge: async () => deleteWhere(db.deviceLogins, (row) => row.expires_at <= db.now()),
	};
};

import {type DeviceLoginStore, plusSeconds} from '@signalbox/core';
import {type Connection, first, type Reader, storeNow} from '../connection.ts';
import {sql} from '../sql.ts';
import {confirmedLogins, deviceLogins} from './device-logins.table.ts';

const isPending = (reader: Reader, id: string) => sql`id = ${id} AND user_id IS NULL AND expires_at > ${reader.now()}`;

export const createDeviceLoginStore = (connection: Connection): DeviceLoginStore => ({
	open: async (request, lifetime_seconds) =>
		connection.write(async (transaction) => {
			const created_at = await storeNow(transaction);
			const login = {...request, created_at, expires_at: plusSeconds(created_at, lifetime_seconds)};
			await transaction.run(deviceLogins.insert([login]));
			return login;
		}),
	pending: async (id) => {
		const row = await first(
			connection,
			sql`SELECT ${deviceLogins.columns} FROM device_logins WHERE ${isPending(connection, id)}`,
		);
		return row && deviceLogins.read(row);
	},
	confirm: async (id, {user_id, code_digest, lifetime_seconds}) =>
		connection.write(async (transaction) => {
			const expires_at = plusSeconds(await storeNow(transaction), lifetime_seconds);
			const confirmed = confirmedLogins.set({user_id, code_digest, expires_at});
			return (
				(await transaction.run(sql`UPDATE device_logins SET ${confirmed} WHERE ${isPending(transaction, id)}`)) > 0
			);
		}),
	redeem: async (id, {code_digest, code_challenge}) =>
		connection.write(async (transaction) => {
			const row = await first(
				transaction,
				sql`SELECT ${confirmedLogins.columns} FROM device_logins WHERE id = ${id} AND code_digest = ${code_digest}
					AND code_challenge = ${code_challenge} AND expires_at > ${transaction.now()}`,
			);
			// Of parallel calls the one whose DELETE meets the row is the first.
			if (!row || (await transaction.run(sql`DELETE FROM device_logins WHERE id = ${id}`)) === 0) return undefined;
			const {user_id, device_name} = confirmedLogins.read(row);
			return user_id === null ? undefined : {user_id, device_name};
		}),
	purge: async () =>
		connection.write((transaction) =>
			transaction.run(sql`DELETE FROM device_logins WHERE expires_at <= ${transaction.now()}`),
		),
});

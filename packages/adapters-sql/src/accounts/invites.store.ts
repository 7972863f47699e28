import {type InviteStore, plusSeconds} from '@signalbox/core';
import {type Connection, storeNow} from '../connection.ts';
import {invites} from './invites.table.ts';

export const createInviteStore = (connection: Connection): InviteStore => ({
	create: async (request, lifetime_seconds) =>
		connection.write(async (transaction) => {
			const created_at = await storeNow(transaction);
			const invite = {...request, created_at, expires_at: plusSeconds(created_at, lifetime_seconds)};
			await transaction.run(invites.insert([invite]));
			return invite;
		}),
});

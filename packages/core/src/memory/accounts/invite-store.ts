import {DomainError} from '../../errors.ts';
import type {InviteStore} from '../../ports/index.ts';
import {plusSeconds} from '../../values/instant.ts';
import type {MemoryDatabase} from '../database.ts';

export const createInviteStore = (db: MemoryDatabase): InviteStore => ({
	create: async (request, lifetime_seconds) => {
		if (!db.teams.has(request.team_id)) throw new DomainError('resource_not_found');
		const created_at = db.now();
		const invite = {...request, created_at, expires_at: plusSeconds(created_at, lifetime_seconds)};
		db.invites.set(invite.token_digest, {...invite, used: false});
		return invite;
	},
});

import type {AuditAction, AuditEntry} from './live/model/audit-entry.ts';
import type {Ports} from './ports/index.ts';
import type {Caller} from './values/caller.ts';

/** What changed. `data` names fields and never holds a secret; without a team it is told to the caller's active one. */
export type Change = Readonly<{
	action: AuditAction;
	target_id: string;
	data?: AuditEntry['data'];
	team_id?: string | undefined;
}>;

/** Appends what a caller changed to the audit record. */
export type AuditTrail = (caller: Caller, change: Change) => Promise<void>;

export const createAuditTrail =
	({audit, clock, ids}: Pick<Ports, 'audit' | 'clock' | 'ids'>): AuditTrail =>
	(caller, {action, target_id, data = {}, team_id = caller.team_id}) =>
		audit.append({
			id: ids.next(),
			team_id,
			user_id: caller.user_id,
			api_key_id: caller.credential.kind === 'api_key' ? caller.credential.id : null,
			action,
			target_id,
			data,
			created_at: clock.now(),
		});

import {checkedPage} from '../list-request.ts';
import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import type {Page, PageRequest} from '../values/page.ts';
import type {AuditEntry} from './model/audit-entry.ts';

/** Who changed what in the caller's active team, newest first. */
export type Audit = Readonly<{list(caller: Caller, page: PageRequest): Promise<Page<AuditEntry>>}>;

export const createAudit = (needs: Pick<Ports, 'audit'>): Audit => ({
	list: async (caller, page) => needs.audit.list(caller.team_id, checkedPage(page)),
});

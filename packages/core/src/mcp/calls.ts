import {createAuditTrail} from '../audit-trail.ts';
import {demandScope} from '../demand-scope.ts';
import {DomainError} from '../errors.ts';
import {checkedPage, checkedSpan, demandWithin} from '../list-request.ts';
import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import {hourOf, plusSeconds} from '../values/instant.ts';
import type {Page, PageRequest} from '../values/page.ts';
import type {CallFilter, McpCall} from './model/call.ts';
import type {CallMetrics} from './model/metrics.ts';
import {callMetricsOf} from './rules/call-metrics.ts';

/** The call log of the active team; by id, of any team of the caller. */
export type McpCalls = Readonly<{
	/** Bodies are cut to 16,384 characters; `get` has them whole. `limit` 1 to 100. */
	list(caller: Caller, filter: CallFilter, page: PageRequest): Promise<Page<McpCall>>;
	count(caller: Caller, filter: CallFilter): Promise<number>;
	/** @throws resource_not_found */
	get(caller: Caller, id: string): Promise<McpCall>;
	/** Of the last `days` (1 to 365): whole hours, the current one included. */
	metrics(caller: Caller, query: Readonly<{days: number; server_id?: string | undefined}>): Promise<CallMetrics>;
	/** @throws resource_not_found; forbidden without scope `approvals`. */
	delete(caller: Caller, id: string): Promise<void>;
}>;

const listedBodyCharacters = 16_384;
const secondsInADay = 24 * 3600;

export const createMcpCalls = (needs: Pick<Ports, 'calls' | 'audit' | 'clock' | 'ids'>): McpCalls => {
	const record = createAuditTrail(needs);
	return {
		list: async (caller, filter, page) => {
			const listed = {...checkedPage(page), body_chars: listedBodyCharacters};
			return needs.calls.list(caller.team_id, checkedSpan(filter), listed);
		},
		count: async (caller, filter) => needs.calls.count(caller.team_id, checkedSpan(filter)),
		get: async (caller, id) => {
			const call = await needs.calls.get(caller.team_ids, id);
			if (!call) throw new DomainError('resource_not_found');
			return call;
		},
		metrics: async (caller, {days, server_id}) => {
			demandWithin('days', days, {from: 1, to: 365});
			const to = needs.clock.now();
			const from = hourOf(plusSeconds(to, -days * secondsInADay));
			const hours = {from, to: plusSeconds(hourOf(to), 3600), server_id};
			return callMetricsOf(await needs.calls.sums(caller.team_id, hours), {from, to});
		},
		delete: async (caller, id) => {
			demandScope(caller, 'approvals', 'Deleting a call log');
			const deleted = await needs.calls.delete(caller.team_ids, id);
			if (!deleted) throw new DomainError('resource_not_found');
			const {team_id, mcp_server_id} = deleted;
			await record(caller, {action: 'mcp_call.deleted', team_id, target_id: id, data: {mcp_server_id}});
		},
	};
};

import {createAuditTrail} from '../audit-trail.ts';
import {demandScope} from '../demand-scope.ts';
import {DomainError, invalidField} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import {hourOf, type Instant, plusSeconds} from '../values/instant.ts';
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
			refuseOutside('limit', page.limit, {from: 1, to: 100});
			refuseOutside('offset', page.offset, {from: 0, to: Number.MAX_SAFE_INTEGER});
			return needs.calls.list(caller.team_id, normalised(filter), {...page, body_chars: listedBodyCharacters});
		},
		count: async (caller, filter) => needs.calls.count(caller.team_id, normalised(filter)),
		get: async (caller, id) => {
			const call = await needs.calls.get(caller.team_ids, id);
			if (!call) throw new DomainError('resource_not_found');
			return call;
		},
		metrics: async (caller, {days, server_id}) => {
			refuseOutside('days', days, {from: 1, to: 365});
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

const refuseOutside = (field: string, value: number, {from, to}: Readonly<{from: number; to: number}>): void => {
	if (!Number.isInteger(value) || value < from || value > to) {
		throw invalidField(field, `must be a whole number from ${from} to ${to}`);
	}
};

/** Instants compare as text, so each must be in the one form that is stored. */
const normalised = (filter: CallFilter): CallFilter => ({
	...filter,
	from: instantFrom('from', filter.from),
	to: instantFrom('to', filter.to),
});

const instantFrom = (field: string, text: string | undefined): Instant | undefined => {
	if (text === undefined) return undefined;
	const date = new Date(/^\d{4}-\d{2}-\d{2}(T.+(Z|[+-]\d{2}:?\d{2}))?$/.test(text) ? text : Number.NaN);
	if (Number.isNaN(date.getTime())) throw invalidField(field, 'must be an ISO 8601 time with its zone, or a date');
	return date.toISOString();
};

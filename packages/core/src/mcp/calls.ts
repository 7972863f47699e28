import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import type {Page, PageRequest} from '../values/page.ts';
import type {CallFilter, McpCall} from './model/call.ts';
import type {CallMetrics} from './model/metrics.ts';

/** The call log of the active team; by id, of any team of the caller. */
export type McpCalls = Readonly<{
	/** Bodies are cut to 16,384 characters; `get` has them whole. */
	list(caller: Caller, filter: CallFilter, page: PageRequest): Promise<Page<McpCall>>;
	count(caller: Caller, filter: CallFilter): Promise<number>;
	get(caller: Caller, id: string): Promise<McpCall>;
	metrics(caller: Caller, query: Readonly<{days: number; server_id?: string | undefined}>): Promise<CallMetrics>;
	/** @throws forbidden without scope `approvals`. */
	delete(caller: Caller, id: string): Promise<void>;
}>;

export const createMcpCalls = (_needs: Pick<Ports, 'calls' | 'audit' | 'clock' | 'ids'>): McpCalls => {
	throw new Error('not built');
};

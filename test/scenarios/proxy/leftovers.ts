import type {Api} from '../../support/api.ts';
import {until} from '../../support/mcp/until.ts';
import {attendedCalls, storedApprovals} from './durable-calls.ts';
import {callHeaders, numberedCall, responseIn} from './interrupted-load.ts';

/** Where calls were held by a process that died, as whoever is there now serves it. */
export type Bereaved = Readonly<{
	directory: string;
	/** Of the server at the proxy. */
	url: string;
	/** Whoever decides. */
	api: Api;
	executions(number: number): number;
}>;

/** Approvals that a death left over. */
export type Leftovers = Readonly<{
	/** Granted ones that an identical call used. */
	used: number;
	/** Pending ones that were decided. */
	decided: number;
	/** Those that could neither be used nor decided. */
	stuck: readonly string[];
}>;

/** An identical call uses what was granted: at once, and once. */
const useGrant = async ({url, executions}: Bereaved, number: number): Promise<boolean> => {
	const answer = await fetch(url, {method: 'POST', headers: callHeaders, body: numberedCall(number)});
	return responseIn(await answer.text())?.result?.isError !== true && executions(number) === 1;
};

/** Uses what was granted and never ran, and decides what is still pending, once it is known that a process died. */
export const settleLeftovers = async (bereaved: Bereaved): Promise<Leftovers> => {
	const {directory, api} = bereaved;
	await until(async () => (await attendedCalls(directory)) === 0, 'the recovery of what died', 90_000);
	const stuck: string[] = [];
	const left = await storedApprovals(directory);
	const granted = left.filter(({status, is_consumed}) => status === 'approved' && !is_consumed);
	for (const {id, number} of granted) if (!(await useGrant(bereaved, number))) stuck.push(id);
	const pending = left.filter(({status}) => status === 'pending');
	for (const {id} of pending) {
		const {status} = await api.post(`/v1/mcp/approvals/${id}/reject`, {});
		if (status !== 200) stuck.push(id);
	}
	return {used: granted.length, decided: pending.length, stuck};
};

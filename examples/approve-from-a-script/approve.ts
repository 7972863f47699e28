import {setInterval} from 'node:timers/promises';
import {type Approval, isApiError, type SignalboxClient} from '@signalbox/client-sdk';

/** What to do with a call that waits: a decision and why, or undefined to leave it to people. */
export type Rule = (approval: Approval) => Readonly<{decision: 'approve' | 'reject'; note: string}> | undefined;

/** Whether somebody else decided first, or the call expired or was taken back: nothing is left to do. */
const isOver = (error: unknown): boolean => isApiError(error) && (error.status === 404 || error.status === 409);

const decide = async (client: SignalboxClient, approval: Approval, rule: Rule): Promise<void> => {
	const verdict = rule(approval);
	if (verdict === undefined) return;
	const {decision, note} = verdict;
	try {
		await client.mcp.approvals[decision]({path: {id: approval.id}, body: {note}});
	} catch (error) {
		if (!isOver(error)) throw error;
	}
};

/** Looks for calls that wait, and decides those of which the rule knows what to do, until the signal aborts. */
export const approveByRule = async (client: SignalboxClient, rule: Rule, signal: AbortSignal): Promise<void> => {
	for await (const _ of setInterval(250)) {
		if (signal.aborted) return;
		const {data} = await client.mcp.approvals.list();
		for (const approval of data) await decide(client, approval, rule);
	}
};

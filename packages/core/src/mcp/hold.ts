import {DomainError} from '../errors.ts';
import type {DomainEvent, Ports} from '../ports/index.ts';
import {millisecondsOf} from '../values/instant.ts';
import type {Attendance} from './attendance.ts';
import type {Budget} from './budget.ts';
import {expireDueApprovals} from './expire-due-approvals.ts';
import type {ApprovalRecord} from './model/approval.ts';
import type {Passage, ToolCall} from './model/passage.ts';
import type {McpServerRecord} from './model/server.ts';
import type {ResolvedTarget} from './model/target.ts';
import {approvalViewOf} from './rules/approval-lifecycle.ts';
import {isSameInEffect, isSameTarget} from './rules/call-binding.ts';
import type {ApprovalPolicy} from './rules/decide-tool-call.ts';

type Needs = Pick<Ports, 'approvals' | 'attendance' | 'mcpServers' | 'signals' | 'clock'>;

/** What a held call needs once a person said yes. */
type Release = Readonly<{
	budget: Budget;
	policyOf: (server: McpServerRecord) => ApprovalPolicy;
	targetOf: (server: McpServerRecord) => Promise<ResolvedTarget>;
}>;

/** A call with the target that it was to go to when its approval was asked for. */
export type HeldCall = ToolCall & Readonly<{target: ResolvedTarget}>;

/** Waits for the decision on a call's approval, and says what comes of the call. */
export type Hold = (call: HeldCall, approval: ApprovalRecord) => Promise<Passage>;

/** How long a lost signal can delay a call, in milliseconds. */
const pollEvery = 1000;

/** A call that passes is attended until its outcome is logged, any other one until it is decided. */
export const createHold = (needs: Needs & Readonly<{attend: Attendance['begin']}>, release: Release): Hold => {
	const decide = createDecide(needs, release);
	return async (call, opened) => {
		const done = needs.attend(opened.id);
		let passed = false;
		try {
			const passage = await decide(call, opened);
			passed = passage.outcome === 'pass';
			return passage.outcome === 'pass' ? {...passage, done} : passage;
		} finally {
			if (!passed) done();
		}
	};
};

const createDecide =
	(needs: Needs, release: Release): Hold =>
	async (call, opened) => {
		const waiter = createWaiter(needs, call, opened);
		try {
			for (;;) {
				const approval = await read(needs, opened);
				if (call.signal.aborted) return await detached(needs, approval ?? opened);
				// The approval went with its server.
				if (!approval) return {outcome: 'changed', approval: approvalViewOf(opened)};
				if (approval.status === 'approved') return await redeem(needs, release, {call, approval});
				if (approval.status !== 'pending') return {outcome: approval.status, approval: approvalViewOf(approval)};
				await waiter.wait();
			}
		} catch (error) {
			// Nobody waits any more: a decision that comes later can still be used by an identical call.
			await needs.approvals.detach(opened.id).catch(() => {});
			throw error;
		} finally {
			waiter.end();
		}
	};

const read = (needs: Needs, {id, user_id, team_id}: ApprovalRecord) =>
	needs.approvals.get({user_id, team_ids: [team_id]}, id);

const detached = async (needs: Needs, approval: ApprovalRecord): Promise<Passage> => {
	await needs.approvals.detach(approval.id);
	return {outcome: 'detached', approval: approvalViewOf({...approval, caller_waiting: false})};
};

type Redemption = Readonly<{call: HeldCall; approval: ApprovalRecord}>;

/**
 * Turns an approval into its one execution. The money comes first: an approval that could not be paid for is left behind
 * for the next identical call. What changes until the approval is consumed still ends the call: then nothing runs.
 */
const redeem = async (needs: Needs, release: Release, redemption: Redemption): Promise<Passage> => {
	const {call, approval} = redemption;
	const server = await validServer(needs, release, redemption);
	if ('outcome' in server) return server;
	const passage = await release.budget.reserve({...call, server}, approval.id).catch(unlessGone);
	if (!passage) return changed(approval);
	if (passage.outcome !== 'pass') {
		await needs.approvals.detach(approval.id);
		return passage;
	}
	if (call.signal.aborted) {
		await passage.release();
		return detached(needs, approval);
	}
	try {
		const refused = (await needs.approvals.consume(approval.id))
			? await lastRefusal(needs, release, redemption)
			: changed(approval);
		if (!refused) return {...passage, target: call.target};
		await passage.release();
		return refused;
	} catch (error) {
		await passage.release();
		throw error;
	}
};

/** Looks once more when nothing can be decided any more: a call that was consumed and is not let run has no outcome to log. */
const lastRefusal = async (needs: Needs, release: Release, redemption: Redemption): Promise<Passage | undefined> => {
	let refused = true;
	try {
		const server = await validServer(needs, release, redemption);
		refused = 'outcome' in server;
		return 'outcome' in server ? server : undefined;
	} finally {
		if (refused) await needs.attendance.end(redemption.approval.id);
	}
};

const changed = (approval: ApprovalRecord): Passage => ({outcome: 'changed', approval: approvalViewOf(approval)});

/** The server as it is now, or why the call may no longer run there. */
const validServer = async (
	needs: Needs,
	{policyOf, targetOf}: Release,
	{call, approval}: Redemption,
): Promise<McpServerRecord | Passage> => {
	const server = await needs.mcpServers.get([approval.team_id], approval.mcp_server_id);
	if (!server || !stillApplies(policyOf, call, server)) return changed(approval);
	if (!isSameTarget(call.target, await targetOf(server))) return changed(approval);
	if ((await call.mayStillCall?.(server)) === false) return {outcome: 'revoked', approval: approvalViewOf(approval)};
	return server;
};

const unlessGone = (error: unknown): undefined => {
	if (error instanceof DomainError && error.reason === 'resource_not_found') return undefined;
	throw error;
};

/** What was approved must still be what would happen now, and must still need the approval. */
const stillApplies = (
	policyOf: Release['policyOf'],
	{server: before, tool_name}: ToolCall,
	now: McpServerRecord,
): boolean => now.is_active && isSameInEffect(before, now) && policyOf(now)(tool_name).action === 'require';

/** Sleeps until something may have happened to the approval. Signals make it quick; the poll makes it certain. */
const createWaiter = (needs: Needs, call: ToolCall, approval: ApprovalRecord) => {
	const expiresIn = millisecondsOf(approval.expires_at) - millisecondsOf(approval.created_at);
	const begun = millisecondsOf(needs.clock.now());
	let woken = new AbortController();
	const wake = () => woken.abort();
	const unsubscribe = needs.signals.subscribe((event) => {
		if (concerns(event, approval)) wake();
	});
	call.signal.addEventListener('abort', wake);
	/** By this process's clock or by the time that was waited, whichever says so first: the store has the last word. */
	const isDue = () => {
		const now = millisecondsOf(needs.clock.now());
		return now >= millisecondsOf(approval.expires_at) || now - begun >= expiresIn;
	};
	return {
		wait: async () => {
			const left = millisecondsOf(approval.expires_at) - millisecondsOf(needs.clock.now());
			await needs.clock.sleep(left > 0 ? Math.min(left, pollEvery) : pollEvery, woken.signal);
			woken = new AbortController();
			if (isDue()) await expireDueApprovals(needs);
		},
		end: () => {
			unsubscribe();
			call.signal.removeEventListener('abort', wake);
		},
	};
};

const concerns = (event: DomainEvent, approval: ApprovalRecord): boolean =>
	(event.type === 'approval.decided' && event.approval_id === approval.id) ||
	(event.type === 'mcp.server.changed' && event.mcp_server_id === approval.mcp_server_id);

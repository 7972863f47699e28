import {isUnavailable} from '../errors.ts';
import type {DomainEvent, Ports} from '../ports/index.ts';
import {millisecondsOf} from '../values/instant.ts';
import type {Attendance} from './attendance.ts';
import {expireDueApprovals} from './expire-due-approvals.ts';
import {type HeldCall, ownerOf} from './held-call.ts';
import {letThrough, type Release} from './let-through.ts';
import type {ApprovalRecord} from './model/approval.ts';
import type {Admission, Passage} from './model/passage.ts';
import {approvalViewOf} from './rules/approval-lifecycle.ts';

type Needs = Pick<Ports, 'approvals' | 'attendance' | 'mcpServers' | 'signals' | 'clock' | 'secrets'>;

/** The time in which one request waits for an approval. */
export type Turn = Readonly<{
	signal: AbortSignal;
	pause(): void;
	/** False once another request of the same caller waits in its place. */
	isLast(): boolean;
	end(): void;
}>;

export type WaitingCall = HeldCall & Readonly<{turn: Turn}>;

/** Waits for the decision on a call's approval, and says what comes of the call. */
export type Hold = Readonly<{
	/** To be taken before an approval is taken up again: who had it until now leaves without detaching it. */
	takeTurn(call: HeldCall, approval_id: string): Turn;
	wait(call: WaitingCall, approval: ApprovalRecord): Extract<Admission, {outcome: 'held'}>;
}>;

/** How long a lost signal can delay a call, in milliseconds. */
const pollEvery = 1000;

/** How long after the end of a round its caller is expected back, in seconds. */
const gapSeconds = 60;

/** A call that passes is attended until its outcome is logged, any other one until it is decided. */
export const createHold = (needs: Needs & Readonly<{attend: Attendance['begin']}>, release: Release): Hold => {
	const attended = async (call: WaitingCall, approval: ApprovalRecord): Promise<Passage> => {
		const done = needs.attend(approval.id);
		let passed = false;
		try {
			const passage = await wait(needs, release, {call, approval});
			passed = passage.outcome === 'pass';
			return passage.outcome === 'pass' ? {...passage, done} : passage;
		} finally {
			if (!passed) done();
			call.turn.end();
		}
	};
	return {
		takeTurn: createTurns(),
		wait: (call, approval) => ({
			outcome: 'held',
			approval: approvalViewOf(approval),
			passage: attended(call, approval),
			pause: call.turn.pause,
		}),
	};
};

/** A caller that comes back while its last round still waits ends that one: however often it comes, one request waits. */
const createTurns = () => {
	const last = new Map<string, AbortController>();
	return ({in_rounds = false}: HeldCall, approval_id: string): Turn => {
		const own = new AbortController();
		if (in_rounds) {
			last.get(approval_id)?.abort();
			last.set(approval_id, own);
		}
		const isLast = () => !in_rounds || last.get(approval_id) === own;
		const end = () => {
			if (in_rounds && isLast()) last.delete(approval_id);
		};
		return {signal: own.signal, pause: () => own.abort(), isLast, end};
	};
};

const wait = async (
	needs: Needs,
	release: Release,
	{call, approval: opened}: Readonly<{call: WaitingCall; approval: ApprovalRecord}>,
): Promise<Passage> => {
	const waiter = createWaiter(needs, call, opened);
	try {
		for (;;) {
			const approval = await read(needs, opened);
			if (call.signal.aborted) return await detached(needs, call, approval ?? opened);
			// The approval went with its server.
			if (!approval) return {outcome: 'changed', approval: approvalViewOf(opened)};
			if (approval.status === 'approved') return await letThrough(needs, release, {call, approval});
			if (approval.status !== 'pending') return {outcome: approval.status, approval: approvalViewOf(approval)};
			if (call.turn.signal.aborted) return await paused(needs, release, {call, approval});
			await waiter.wait();
		}
	} catch (error) {
		// Nobody waits any more: a decision that comes later can still be used by an identical call.
		if (call.turn.isLast()) await needs.approvals.detach(opened.id).catch(() => {});
		throw error;
	} finally {
		waiter.end();
	}
};

/** A store that is away a moment has decided nothing: whoever holds the call asks it again, for as long as that takes. */
const unlessUnavailable =
	<T>(meanwhile: T) =>
	(error: unknown): T => {
		if (isUnavailable(error)) return meanwhile;
		throw error;
	};

const read = (needs: Needs, opened: ApprovalRecord): Promise<ApprovalRecord | undefined> => {
	const {id, user_id, team_id} = opened;
	const known = needs.approvals.get({user_id, team_ids: [team_id]}, id);
	return known.catch(unlessUnavailable({...opened, status: 'pending' as const}));
};

/** What cannot be written now comes about by itself: nobody attends to the call any more. */
const letGo = ({approvals}: Needs, id: string, after_seconds?: number): Promise<void> =>
	approvals.detach(id, after_seconds).catch(unlessUnavailable(undefined));

const detached = async (needs: Needs, {turn}: WaitingCall, approval: ApprovalRecord): Promise<Passage> => {
	const caller_waiting = !turn.isLast();
	if (!caller_waiting) await letGo(needs, approval.id);
	return {outcome: 'detached', approval: approvalViewOf({...approval, caller_waiting})};
};

const paused = async (
	needs: Needs,
	{states}: Release,
	{call, approval}: Readonly<{call: WaitingCall; approval: ApprovalRecord}>,
): Promise<Passage> => {
	if (call.turn.isLast()) await letGo(needs, approval.id, gapSeconds);
	const state = {approval_id: approval.id, run: 0, upstream_state: undefined};
	return {
		outcome: 'paused',
		approval: approvalViewOf(approval),
		request_state: states.write(ownerOf(needs, call), state),
	};
};

/** Sleeps until something may have happened to the approval. Signals make it quick; the poll makes it certain. */
const createWaiter = (needs: Needs, call: WaitingCall, approval: ApprovalRecord) => {
	const expiresIn = millisecondsOf(approval.expires_at) - millisecondsOf(approval.created_at);
	const begun = millisecondsOf(needs.clock.now());
	let woken = new AbortController();
	const wake = () => woken.abort();
	const unsubscribe = needs.signals.subscribe((event) => {
		if (concerns(event, approval)) wake();
	});
	for (const signal of [call.signal, call.turn.signal]) signal.addEventListener('abort', wake);
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
			if (isDue()) await expireDueApprovals(needs).catch(unlessUnavailable(0));
		},
		end: () => {
			unsubscribe();
			for (const signal of [call.signal, call.turn.signal]) signal.removeEventListener('abort', wake);
		},
	};
};

const concerns = (event: DomainEvent, approval: ApprovalRecord): boolean =>
	(event.type === 'approval.decided' && event.approval_id === approval.id) ||
	(event.type === 'mcp.server.changed' && event.mcp_server_id === approval.mcp_server_id);

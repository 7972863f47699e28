import {defaultApprovalConfig} from '../../mcp/model/approval-config.ts';
import type {ToolCall} from '../../mcp/model/passage.ts';
import type {McpServerRecord} from '../../mcp/model/server.ts';
import type {Caller} from '../../values/caller.ts';
import {addCaller} from '../builders/caller.ts';
import {buildServer} from '../builders/mcp.ts';
import {createTestCore, type TestCore} from '../test-core.ts';
import type {Assertions, ContractTest, OpenedStores, StoreHarness} from './contract.ts';
import {parallel, reasonOf, tally} from './world.ts';

type Race = Readonly<{opened: OpenedStores; core: TestCore['core']; caller: Caller; server: McpServerRecord}>;

const ttl_seconds = 60;

/** The whole domain over the adapter's stores. Its own clock stands still: only the store's may judge. */
const startRace = async (opened: OpenedStores): Promise<Race> => {
	const {core} = createTestCore({ports: opened.stores});
	const caller = await addCaller(opened.stores);
	const approval_config = {...defaultApprovalConfig, enabled: true, ttl_seconds};
	const server = buildServer({user_id: caller.user_id, team_id: caller.team_id, approval_config});
	await opened.stores.mcpServers.create(server, null);
	return {opened, core, caller, server};
};

const callOf = (server: McpServerRecord): ToolCall => ({
	server,
	caller: undefined,
	tool_name: 'delete_user',
	arguments: {},
	arguments_bytes: new TextEncoder().encode('{}'),
	signal: new AbortController().signal,
});

const holdCall = async ({core, server}: Race) => {
	const admission = await core.mcp.gate.admit(callOf(server));
	if (admission.outcome !== 'held') throw new Error(`a call was ${admission.outcome}, not held`);
	return {id: admission.approval.id, passage: admission.passage};
};

const oneDecision = async (t: Assertions, race: Race): Promise<void> => {
	const {approvals} = race.core.mcp;
	const {id, passage} = await holdCall(race);
	const answers = await parallel(1000, (index) =>
		reasonOf(index % 2 === 0 ? approvals.approve(race.caller, id) : approvals.reject(race.caller, id)),
	);
	t.deepEqual(tally(answers), {resolved: 1, conflict: 999});
	const {status} = await approvals.get(race.caller, id);
	const {outcome} = await passage;
	t.is(outcome, status === 'approved' ? 'pass' : 'rejected');
	t.is((await parallel(20, () => race.opened.stores.approvals.consume(id))).includes(true), false);
};

/** Approves, and sweeps, at that many milliseconds from `expires_at`. */
const approveAround = async (t: Assertions, race: Race, offset: number): Promise<void> => {
	const {approvals} = race.core.mcp;
	const {id, passage} = await holdCall(race);
	await race.opened.advance(ttl_seconds * 1000 + offset);
	const [answer] = await Promise.all([reasonOf(approvals.approve(race.caller, id)), approvals.expireDue()]);
	await approvals.expireDue();
	const {outcome} = await passage;
	const {status} = await approvals.get(race.caller, id);
	const told = `${answer} ${status} ${outcome}`;
	t.is(['resolved approved pass', 'conflict expired expired'].includes(told), true, `${offset} ms: ${told}`);
};

/**
 * Registers what must hold when people and time decide at once, over the whole domain on the adapter's stores. `rounds`
 * is how many approvals meet their end.
 */
export const approvalRaces = (test: ContractTest, harness: StoreHarness, rounds = 200): void => {
	const register = (title: string, run: (t: Assertions, race: Race) => Promise<void>) =>
		test(title, async (t) => {
			const opened = await harness.open();
			try {
				await run(t, await startRace(opened));
			} finally {
				await opened.close();
			}
		});
	register(
		`[APR-053 APR-054 APR-055] ${harness.name}: of 1,000 parallel decisions one counts, and the call runs at most once`,
		oneDecision,
	);
	register(
		`[APR-057 APR-059 APR-060] ${harness.name}: approved within 50 ms of its end, an approval runs or has expired, never both`,
		async (t, race) => {
			for (let round = 0; round < rounds; round += 1) await approveAround(t, race, (round % 101) - 50);
		},
	);
};

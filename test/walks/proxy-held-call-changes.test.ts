import {createMemoryStores} from '@signalbox/core/memory';
import {createManualClock} from '@signalbox/core/testing';
import test, {type ExecutionContext} from 'ava';
import {type HeldCallChange, type HeldCallWorld, heldCallChanges} from '../scenarios/proxy/held-call-changes.ts';
import {gatedTool, type LenientUpstream, startLenientUpstream} from '../scenarios/proxy/lenient-upstream.ts';
import {type LoneProxy, openLoneProxy} from '../scenarios/proxy/lone-proxy.ts';
import {sendBytes} from '../scenarios/proxy/send-bytes.ts';
import {until} from '../support/mcp/until.ts';

/** When a change lands: before a person decides, or at a step of what follows the decision. */
const moments = [
	'before the decision',
	'before the money is reserved',
	'before the approval is consumed',
	'after it',
] as const;
type Moment = (typeof moments)[number];

type Trap = {moment: Moment | undefined; change: () => Promise<unknown>};

/** Stores in which a change lands exactly where a race could have it land at worst. */
const trappedStores = (trap: Trap) => {
	const clock = createManualClock();
	const stores = createMemoryStores({clock});
	const spring = async (moment: Moment) => {
		if (trap.moment !== moment) return;
		trap.moment = undefined;
		await trap.change();
	};
	return {
		...stores,
		clock,
		spend: {
			...stores.spend,
			reserve: async (...reservation: Parameters<typeof stores.spend.reserve>) => {
				await spring('before the money is reserved');
				return await stores.spend.reserve(...reservation);
			},
		},
		approvals: {
			...stores.approvals,
			consume: async (id: string) => {
				await spring('before the approval is consumed');
				const consumed = await stores.approvals.consume(id);
				await spring('after it');
				return consumed;
			},
		},
	};
};

const body = Buffer.from(
	JSON.stringify({jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: gatedTool, arguments: {id: '7'}}}),
);

const addWorld = async (proxy: LoneProxy, upstream: LenientUpstream, {server = {}}: HeldCallChange) => {
	const {core, owner} = proxy;
	const {team_id} = owner;
	const {id: variable_id} = await core.environment.variables.create(owner, {key: 'WHERE', value: 'here', team_id});
	const {id: server_id, slug} = await core.mcp.servers.create(owner, {
		name: 'items',
		default_cost_cents: 1,
		...server,
		target_url: (server.target_url ?? '<upstream>/plain').replace('<upstream>', upstream.origin),
		approval_config: {
			enabled: true,
			ttl_seconds: 3600,
			trust_level: 'strict',
			default_action: 'allow',
			rules: [{pattern: gatedTool, action: 'require'}],
			...server.approval_config,
		},
	});
	const world: HeldCallWorld = {proxy, server_id, agent: await proxy.addMember(), variable_id};
	return {world, path: `/p/${slug}`};
};

/** What the call did, when it is approved and the change lands at that moment; without one nothing changes. */
const runHeldCall = async (t: ExecutionContext, each: HeldCallChange, moment: Moment | undefined) => {
	const upstream = await startLenientUpstream();
	const trap: Trap = {moment, change: async () => {}};
	const ports = trappedStores(trap);
	const opened = await openLoneProxy(t, {allowed_private_cidrs: ['127.0.0.0/8']}, {ports});
	const proxy = {...opened, clock: ports.clock};
	const {world, path} = await addWorld(proxy, upstream, each);
	trap.change = () => each.change(world);
	const credentials = {anonymous: [], token: world.agent.byToken, key: world.agent.byKey}[each.caller ?? 'key'];
	const headers = [['Content-Type', 'application/json'], ...credentials] as const;
	const answering = sendBytes(proxy.port, {method: 'POST', path, headers, body});
	const [approval] = await until(async () => {
		const pending = await proxy.core.mcp.approvals.list(proxy.owner, 'pending');
		return pending.length > 0 && proxy.held() > 0 && pending;
	}, each.name);
	if (trap.moment === 'before the decision') await each.change(world);
	await proxy.core.mcp.approvals.approve(proxy.owner, approval?.id ?? '').catch(() => {});
	const {body: answer} = await answering;
	await proxy.end();
	await upstream.close();
	const happened = moment === undefined || moment === 'before the decision' || trap.moment === undefined;
	return {executions: upstream.executions(), happened, answer};
};

test('[PRX-082 PRX-083] what changes between decision and execution keeps an approved call from running', async (t) => {
	let alive = 0;
	for (const each of heldCallChanges) {
		const unchanged = await runHeldCall(t, each, undefined);
		t.is(unchanged.executions, 1, `${each.name}: without the change the approved call runs`);
		for (const moment of moments) {
			const {executions, happened, answer} = await runHeldCall(t, each, moment);
			const title = `${each.name}, ${moment}`;
			t.true(happened, `${title}: the change landed`);
			t.is(executions, 0, title);
			t.regex(answer, /"isError":true|"error":/, title);
			alive += unchanged.executions > 0 && happened ? 1 : 0;
		}
	}
	t.log(`${alive} of ${heldCallChanges.length * moments.length} changes while a call is held are alive`);
	t.true(alive >= 8);
});

import {addCaller, buildAuditEntry, createTestCore} from '@signalbox/core/testing';
import test from 'ava';

test('[MCP-092] the audit of the active team is paged, newest first, and holds no entry of others', async (t) => {
	const {core, ports} = createTestCore();
	const [caller, other] = [await addCaller(ports), await addCaller(ports)];
	for (const [index, team_id] of [caller.team_id, caller.team_id, other.team_id].entries()) {
		await ports.audit.append(buildAuditEntry({team_id, user_id: caller.user_id, target_id: `t${index}`}));
	}
	const page = await core.live.audit.list(caller, {limit: 1, offset: 0});
	t.like(page, {total: 2, limit: 1, offset: 0});
	t.deepEqual(
		page.data.map((entry) => entry.target_id),
		['t1'],
	);
	t.deepEqual(
		(await core.live.audit.list(caller, {limit: 5, offset: 1})).data.map((entry) => entry.target_id),
		['t0'],
	);
});

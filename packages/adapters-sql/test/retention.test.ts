import test from 'ava';
import {createRetentionStore} from '../src/accounts/retention.store.ts';
import {chooseDriver} from '../src/drivers/choose-driver.ts';
import {type Sql, sql} from '../src/sql.ts';
import {connectSqlite} from '../src/sqlite-connection.ts';
import {gateOfFile} from '../src/write-gate.ts';
import {openTemporary} from './support/temporary.ts';

const retention = {days_by_plan: new Map([['free', 7]]), otherwise: 30};

test('what is too old is found by an index: no look goes through all that is kept', async (t) => {
	const {file} = await openTemporary(t);
	const {gate} = gateOfFile(file);
	const connection = await connectSqlite({storage: file, driver: await chooseDriver(), gate, clockOffset: () => 0});
	t.teardown(connection.close);
	const asked: Sql[] = [];
	const all = async (statement: Sql) => {
		asked.push(statement);
		return await connection.all(statement);
	};
	const store = createRetentionStore({...connection, all});
	const looks = [
		[store.purgeCalls, 'mcp_calls_by_mcp_server_id_created_at_id (mcp_server_id=? AND created_at<?)'],
		[
			store.purgeApprovals,
			'approvals_by_mcp_server_id_status_expires_at (mcp_server_id=? AND status=? AND expires_at<?)',
		],
		[store.purgeNotifications, 'notifications_by_user_id_created_at_id (user_id=? AND created_at<?)'],
	] as const;
	for (const [look, index] of looks) {
		asked.length = 0;
		t.is(await look(retention, 10), 0);
		const select = asked.at(-1);
		const plan = await connection.all(sql`EXPLAIN QUERY PLAN ${select ?? ''}`);
		const steps = plan.map(({detail}) => String(detail)).filter((step) => / r /.test(step));
		t.is(steps.length, 1);
		t.regex(steps[0] ?? '', /^SEARCH r USING (?:COVERING )?INDEX /);
		t.true(steps[0]?.endsWith(index), steps[0]);
	}
});

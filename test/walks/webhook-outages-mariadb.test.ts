import test from 'ava';
import {crashWebhooks} from '../scenarios/webhook/crashes.ts';
import {noFaults} from '../scenarios/webhook/durable-webhooks.ts';
import {engine} from '../support/engine.ts';
import {lookForMariadbAt} from '../support/mariadb.ts';
import {startMariadbInstance, whyNoMariadbInstance} from '../support/mariadb-instance.ts';

const missing = engine === 'mariadb' ? await whyNoMariadbInstance() : 'TEST_ENGINE is not mariadb';

test('[WHK-012 WHK-056] servers outlive their MariaDB, are ready again within 10 s of its return, and deliver all that they accepted', async (t) => {
	if (missing !== undefined) {
		t.log(`not tried: ${missing}`);
		t.pass();
		return;
	}
	const database = await startMariadbInstance();
	t.teardown(database.remove);
	lookForMariadbAt(database.server);
	const plan = {servers: 3, kills: 1, apart: 0, all_at_last: true, webhooks: 150, seed: 5};
	const {faults, ...report} = await crashWebhooks(plan, {outages: 1, database});
	t.log(JSON.stringify(report));
	t.deepEqual(faults, noFaults);
	t.is(report.accepted, 150);
	t.deepEqual(report.exit_codes, [0, 0, 0]);
	t.true(Math.max(...report.readiness) < 10_000);
});

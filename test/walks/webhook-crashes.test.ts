import test from 'ava';
import {crashWebhooks} from '../scenarios/webhook/crashes.ts';
import {noFaults} from '../scenarios/webhook/durable-webhooks.ts';

test('[WHK-012 WHK-055 WHK-056] killed under load, a server delivers all that it accepted, each under one id and on record', async (t) => {
	const {faults, accepted, ...report} = await crashWebhooks({
		servers: 1,
		kills: 3,
		apart: 0,
		all_at_last: false,
		webhooks: 300,
		seed: 11,
	});
	t.log(JSON.stringify(report));
	t.deepEqual(faults, noFaults);
	t.is(accepted, 300);
	t.true(report.recovery < 30_000, 'what the dead process held does not wait until its lease is over');
});

import assert from 'node:assert/strict';
import {type CrashPlan, type CrashReport, crashWebhooks, type Outages} from '../scenarios/webhook/crashes.ts';
import {noFaults} from '../scenarios/webhook/durable-webhooks.ts';
import {lookForMariadbAt} from '../support/mariadb.ts';
import {startMariadbInstance} from '../support/mariadb-instance.ts';

const plan: CrashPlan = {servers: 1, kills: 100, apart: 0, all_at_last: false, webhooks: 10_000, seed: 20_260_731};
const fleetPlan: CrashPlan = {...plan, servers: 3, kills: 20, apart: 5000};
const mostReadiness = 10_000;

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

const crash = async (plan: CrashPlan, outages?: Outages): Promise<CrashReport> => {
	const began = performance.now();
	const {faults, ...report} = await crashWebhooks(plan, outages);
	console.log(`  seed ${plan.seed}: ${plan.kills} kills in ${seconds(performance.now() - began)}`);
	console.log(
		`  ${report.accepted} webhooks accepted, ${report.cut} cut and ${report.refused} refused, ${report.duplicates} dropped as sent again`,
	);
	console.log(
		`  ${report.unknown_outcomes} attempts of unknown outcome, ${report.repeated} webhooks arrived once more; after the last start all had arrived within ${seconds(report.recovery)}`,
	);
	assert.deepEqual(faults, noFaults);
	assert.equal(report.accepted, plan.webhooks);
	assert.deepEqual(report.exit_codes, Array.from({length: plan.servers}).fill(0));
	return {faults, ...report};
};

/** `kill -9` while webhooks come in and go out: what was accepted arrives, under one id, and is on record. */
export const tortureWebhooks = async (): Promise<void> => {
	await crash(plan);
};

/** Three servers, one of which is killed every 5 seconds, and their MariaDB five times in between. */
export const tortureFleetWebhooks = async (): Promise<void> => {
	const database = await startMariadbInstance();
	try {
		lookForMariadbAt(database.server);
		const {readiness} = await crash(fleetPlan, {outages: 5, database});
		console.log(`  MariaDB was back: all servers were ready ${readiness.map(seconds).join(', ')} later`);
		assert.ok(Math.max(...readiness) < mostReadiness);
	} finally {
		await database.remove();
	}
};

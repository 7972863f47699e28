import assert from 'node:assert/strict';
import {crashWebhooks} from '../scenarios/webhook/crashes.ts';
import {noFaults} from '../scenarios/webhook/durable-webhooks.ts';

const plan = {kills: 100, webhooks: 10_000, seed: 20_260_731};

/** `kill -9` while webhooks come in and go out: what was accepted arrives, under one id, and is on record. */
export const tortureWebhooks = async (): Promise<void> => {
	const began = performance.now();
	const {faults, ...report} = await crashWebhooks(plan);
	const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
	console.log(`  seed ${plan.seed}: ${plan.kills} kills in ${seconds(performance.now() - began)}`);
	console.log(
		`  ${report.accepted} webhooks accepted, ${report.cut} cut and ${report.refused} refused, ${report.duplicates} dropped as sent again`,
	);
	console.log(
		`  ${report.unknown_outcomes} attempts of unknown outcome, ${report.repeated} webhooks arrived once more; after the last start all had arrived within ${seconds(report.recovery)}`,
	);
	assert.deepEqual(faults, noFaults);
	assert.equal(report.accepted, plan.webhooks);
};

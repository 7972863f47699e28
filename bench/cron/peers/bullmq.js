/** Delayed jobs in BullMQ's queue, all due at one instant; a worker that has nothing to do but to be called. */
import {Queue, Worker} from 'bullmq';
import Redis from 'ioredis';
import {chooseInstant, count, redis, tell} from './due.js';

const prefix = 'signalbox-bench';
const connect = () => new Redis(redis, {maxRetriesPerRequest: null});
const queue = new Queue('cron', {connection: connect(), prefix});
// Of a run that was cut off.
await queue.obliterate({force: true});

const instant = chooseInstant(20_000);
for (let begin = 0; begin < count; begin += 1000) {
	const opts = {delay: instant - Date.now()};
	await queue.addBulk(Array.from({length: Math.min(1000, count - begin)}, () => ({name: 'run', data: {}, opts})));
}

let called = 0;
const done = new Promise((resolve) => {
	const run = async () => {
		called += 1;
		if (called === count) resolve();
	};
	new Worker('cron', run, {connection: connect(), prefix, concurrency: 32});
});
await tell(instant, done);
await queue.obliterate({force: true});
process.exit(0);

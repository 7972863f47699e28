/**
 * Fires jobs that are due at one instant, as a server does, by the packages as they are built: plain JavaScript, as this is, and
 * as users run it. Arguments: a directory, and what `prepare.ts` printed. Prints what it took as JSON.
 */
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {setTimeout as pause} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {openDatabase} from '@signalbox/adapters-sql';
import {createCore} from '@signalbox/core';
import {createMemoryRateLimiter, createMemorySignals} from '@signalbox/core/memory';
import * as node from '@signalbox/core/node';

// As the server's own program does: its threads have limits of their own.
setFlagsFromString('--max-semi-space-size=0');
const [directory = '', prepared = '{}'] = process.argv.slice(2);
const {tick, user_id, runs} = JSON.parse(prepared);
/** As the server does. */
const ticksAtOnce = 10_000;
const day = 24 * 3_600_000;

let offset = 0;
const database = await openDatabase({
	url: process.env.BENCH_DATABASE ?? `sqlite:${directory}/signalbox.db`,
	clockOffset: () => offset,
});
const clock = node.createClock({offset: () => offset});
const keys = [node.generateKey('bench')];
const core = createCore({
	...database.stores,
	clock,
	ids: node.createIds(),
	secrets: node.createSecrets({keys}),
	signatures: node.createSignatures(),
	passwords: node.createPasswordHasher(),
	accessTokens: node.createAccessTokens({keys, issuer: 'bench'}),
	cipher: node.createCipher({keys}),
	signals: createMemorySignals(),
	rateLimiter: createMemoryRateLimiter({clock}),
});

/** @param {number} time */
const fireAt = async (time) => {
	offset = time - Date.now();
	while ((await core.cron.ticks.tick(ticksAtOnce)).due === ticksAtOnce);
};

const noon = Date.parse(tick);
await fireAt(noon - 2 * day);
// The thread that fires is started by the first ones.
await pause(2000);
await fireAt(noon - day);
const delays = monitorEventLoopDelay({resolution: 1});
delays.enable();
const begun = performance.now();
await fireAt(noon);
const ms = performance.now() - begun;
delays.disable();
const peak_mb = process.resourceUsage().maxRSS / 1024;
const {total} = await database.stores.executions.list(user_id, {}, {limit: 1, offset: 0, output_bytes: 0});
if (total !== runs) throw new Error(`${total} runs of ${runs}`);
await database.close();
console.log(JSON.stringify({ms, block_ms: delays.max / 1e6, peak_mb}));

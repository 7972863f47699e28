import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {compose, createLogger, type EdgeLimits, readConfig} from '@signalbox/hapi-server';

// A benchmark measures what an answer costs, not how soon the rate limits refuse one.
const plenty = {per_minute: 1_000_000, burst: 0};
const limits: EdgeLimits = {
	anonymous: plenty,
	address: {login: plenty, register: plenty, refresh: plenty},
	account: {login: plenty, register: plenty, refresh: plenty},
};

const directory = await mkdtemp(join(tmpdir(), 'signalbox-bench-'));
const config = readConfig({PORT: '0', GRPC_PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'warn'});
const composition = await compose(config, {log: createLogger(config.logLevel, process.stderr), limits});
const {addresses} = await composition.start();
console.log(JSON.stringify({base_url: addresses.base_url}));

process.once('SIGTERM', async () => {
	await composition.stop();
	await rm(directory, {recursive: true, force: true});
});

import {glob, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {ConfigError, readConfig} from '@signalbox/hapi-server';
import test from 'ava';

const key = (kid: string) => `${kid}:${Buffer.alloc(32, kid).toString('base64')}`;
const shared = {
	DATABASE_URL: 'mysql://app:s3cret@db.internal:3306/signalbox',
	SIGNALBOX_MASTER_KEYS: key('m1'),
	SIGNALBOX_JWT_KEYS: key('j1'),
};

test('[HTTP-062 HTTP-067 HTTP-068] without any variable: loopback, port 3000, a whole working configuration', (t) => {
	const config = readConfig({});
	t.is(config.host, '127.0.0.1');
	t.is(config.port, 3000);
	t.true(config.local);
	t.is(config.maxProxyBody, 10 * 1024 * 1024);
	t.is(config.upstreamTimeout, 300_000);
	t.is(config.admin, undefined);
});

test('[HTTP-071 HTTP-076 HTTP-077] the database and the keys are in ./data, and there is no Redis', (t) => {
	t.is(readConfig({}).databaseUrl, 'sqlite:./data/signalbox.db');
	t.is(readConfig({}).dataDir, './data');
	t.is(readConfig({DATA_DIR: '/srv/box'}).databaseUrl, 'sqlite:/srv/box/signalbox.db');
	t.regex(readConfig({}).printed.join('\n'), /^REDIS_URL=unset$/m);
});

test('REDIS_URL is printed without its password', (t) => {
	const config = readConfig({REDIS_URL: 'rediss://me:hush@redis.example.com:6380/2?prefix=box'});
	t.is(config.redisUrl, 'rediss://me:hush@redis.example.com:6380/2?prefix=box');
	t.regex(config.printed.join('\n'), /^REDIS_URL=rediss:\/\/\*\*\*@redis\.example\.com:6380\/2\?prefix=box$/m);
});

test('[HTTP-072 HTTP-073] DATABASE_URL takes a SQLite path or memory', (t) => {
	for (const url of ['sqlite:/tmp/x.db', 'sqlite::memory:']) {
		const config = readConfig({DATABASE_URL: url});
		t.is(config.databaseUrl, url);
		t.false(config.sharedDatabase);
	}
});

test('[HTTP-085 HTTP-087 ACC-103] roles, log level and registration have their defaults, registration by HOST', (t) => {
	const config = readConfig({});
	t.deepEqual(config.roles, ['api', 'proxy', 'ingest', 'worker', 'grpc']);
	t.is(config.logLevel, 'info');
	t.is(config.registration, 'open');
	t.is(readConfig({HOST: '0.0.0.0', BASE_URL: 'https://box.example.com'}).registration, 'invite');
});

test("behind a public address the server is nobody's own, though it listens on loopback", (t) => {
	const behindProxy = readConfig({BASE_URL: 'https://box.example.com'});
	t.like(behindProxy, {registration: 'invite', allowedPrivateCidrs: []});
	for (const BASE_URL of ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'])
		t.is(readConfig({BASE_URL}).registration, 'open', BASE_URL);
});

test('the Host of a request is judged on loopback, whatever keeps the data', (t) => {
	const keys = `k1:${Buffer.alloc(32).toString('base64')}`;
	const shared = {DATABASE_URL: 'mysql://u@127.0.0.1/s', SIGNALBOX_MASTER_KEYS: keys, SIGNALBOX_JWT_KEYS: keys};
	t.true(readConfig({}).loopback);
	t.true(readConfig(shared).loopback);
	t.false(readConfig({HOST: '0.0.0.0', BASE_URL: 'https://box.example.com'}).loopback);
});

test('[AGT-054] gRPC is at port 3001 of 127.0.0.1, in the clear', (t) => {
	t.deepEqual(readConfig({}).grpc, {host: '127.0.0.1', port: 3001, url: undefined, tls: undefined});
	t.is(readConfig({GRPC_PORT: '0'}).grpc.port, 0);
});

test('gRPC follows HOST off loopback with a certificate only, and never goes there in the clear', (t) => {
	const box = {HOST: '0.0.0.0', BASE_URL: 'https://box.example.com'};
	const tls = {GRPC_TLS_CERT: '/tls/cert.pem', GRPC_TLS_KEY: '/tls/key.pem'};
	t.is(readConfig(box).grpc.host, '127.0.0.1');
	t.like(readConfig({...box, ...tls}).grpc, {
		...{host: '0.0.0.0', tls: {cert_file: '/tls/cert.pem', key_file: '/tls/key.pem'}},
	});
	t.is(readConfig({...box, ...tls, GRPC_HOST: '127.0.0.2'}).grpc.host, '127.0.0.2');
	const open = t.throws(() => readConfig({GRPC_HOST: '0.0.0.0'}), {instanceOf: ConfigError});
	t.regex(open?.message ?? '', /GRPC_HOST: off loopback/);
	const half = t.throws(() => readConfig({GRPC_TLS_CERT: '/tls/cert.pem'}), {instanceOf: ConfigError});
	t.regex(half?.message ?? '', /GRPC_TLS_CERT and GRPC_TLS_KEY are set together/);
});

test('[HTTP-082] public addresses are what they are set to; the proxy and the hooks follow BASE_URL', (t) => {
	const config = readConfig({BASE_URL: 'https://box.example.com/', HOOK_URL: 'https://hooks.example.com'});
	t.is(config.baseUrl, 'https://box.example.com');
	t.is(config.proxyUrl, 'https://box.example.com');
	t.is(config.hookUrl, 'https://hooks.example.com');
});

test('[ACC-100 ENV-047] key rings are read newest first', (t) => {
	const config = readConfig({SIGNALBOX_JWT_KEYS: `${key('b')},${key('a')}`, SIGNALBOX_MASTER_KEYS: key('m')});
	t.deepEqual(
		config.jwtKeys?.map(({kid}) => kid),
		['b', 'a'],
	);
	t.is(config.masterKeys?.[0]?.kid, 'm');
});

test('[ACC-102 ENV-049] a shared database without keys refuses to start, naming what is missing', (t) => {
	for (const name of ['SIGNALBOX_JWT_KEYS', 'SIGNALBOX_MASTER_KEYS'] as const) {
		const error = t.throws(() => readConfig({...shared, [name]: ''}), {instanceOf: ConfigError});
		t.true(error?.message.includes(`${name}: is required`));
	}
	t.true(readConfig(shared).sharedDatabase);
	t.false(readConfig(shared).local);
});

test('[WHK-082] upstreams and destinations at loopback are let through in local mode only', (t) => {
	t.deepEqual(readConfig({}).allowedPrivateCidrs, ['127.0.0.0/8', '::1/128']);
	t.deepEqual(readConfig({HOST: '0.0.0.0', BASE_URL: 'https://box.example.com'}).allowedPrivateCidrs, []);
	t.deepEqual(readConfig({SIGNALBOX_ALLOWED_PRIVATE_CIDRS: '10.1.0.0/16'}).allowedPrivateCidrs, ['10.1.0.0/16']);
});

test('none closes what is open by default, and is printed as such; a blank value is as none at all', (t) => {
	const closed = readConfig({SIGNALBOX_ALLOWED_PRIVATE_CIDRS: 'none'});
	t.deepEqual(closed.allowedPrivateCidrs, []);
	t.true(closed.printed.includes('SIGNALBOX_ALLOWED_PRIVATE_CIDRS=none'));
	t.like(readConfig({SIGNALBOX_TRUSTED_PROXIES: 'none', SIGNALBOX_ALLOWED_ORIGINS: 'none'}), {
		trustedProxies: [],
		allowedOrigins: [],
	});
	for (const value of ['none,10.0.0.0/8', 'nothing'])
		t.throws(() => readConfig({SIGNALBOX_ALLOWED_PRIVATE_CIDRS: value}), {instanceOf: ConfigError});
	t.throws(() => readConfig({SIGNALBOX_ROLES: 'none'}), {instanceOf: ConfigError});
	const names = readConfig({}).printed.map((line) => line.split('=')[0] ?? '');
	for (const blank of ['', '  '])
		t.deepEqual(readConfig(Object.fromEntries(names.map((name) => [name, blank]))), readConfig({}));
});

test('sizes and times take their units', (t) => {
	t.is(readConfig({SIGNALBOX_MAX_PROXY_BODY: '2 MiB'}).maxProxyBody, 2 * 1024 * 1024);
	t.is(readConfig({SIGNALBOX_MAX_PROXY_BODY: '65536'}).maxProxyBody, 65_536);
	t.is(readConfig({SIGNALBOX_UPSTREAM_TIMEOUT: '30s'}).upstreamTimeout, 30_000);
});

test('[WHK-016] the largest webhook is 1 MiB, unless set, and never more than 25 MiB', (t) => {
	const sizeOf = (SIGNALBOX_MAX_WEBHOOK_BODY?: string) => readConfig({SIGNALBOX_MAX_WEBHOOK_BODY}).maxWebhookBody;
	t.deepEqual([sizeOf(), sizeOf('2000'), sizeOf('25 MiB')], [1024 * 1024, 2000, 25 * 1024 * 1024]);
	t.throws(() => sizeOf('26214401'), {instanceOf: ConfigError, message: /SIGNALBOX_MAX_WEBHOOK_BODY/});
});

test('the timeout is printed in the unit in which it is set', (t) => {
	t.true(readConfig({SIGNALBOX_UPSTREAM_TIMEOUT: '30s'}).printed.includes('SIGNALBOX_UPSTREAM_TIMEOUT=30'));
});

const refused: readonly (readonly [string, string])[] = [
	['PORT', '70000'],
	['PORT', 'http'],
	['GRPC_PORT', '-1'],
	['GRPC_URL', 'agents.example.com:3001'],
	['DATABASE_URL', 'postgres://x/y'],
	['REDIS_URL', '127.0.0.1:6379'],
	['REDIS_URL', 'http://127.0.0.1:6379'],
	['REDIS_URL', 'redis://127.0.0.1/cache'],
	['REDIS_URL', 'redis://127.0.0.1?password=secret'],
	['REDIS_URL', 'redis://user:p%w@127.0.0.1'],
	['BASE_URL', 'box.example.com'],
	['BASE_URL', 'https://example.com/signalbox'],
	['BASE_URL', 'https://:pw@box.example.com'],
	['BASE_URL', 'https://user:pw@box.example.com'],
	['PROXY_URL', 'ftp://box.example.com'],
	['HOOK_URL', 'https://box.example.com/?x=1'],
	['SIGNALBOX_MASTER_KEYS', 'k1:tooShort'],
	['SIGNALBOX_JWT_KEYS', 'nonsense'],
	['SIGNALBOX_DEFAULT_PLAN', 'platinum'],
	['SIGNALBOX_ALLOWED_PRIVATE_CIDRS', '10.0.0.0/33'],
	['SIGNALBOX_TRUSTED_PROXIES', 'nginx'],
	['SIGNALBOX_MAX_PROXY_BODY', '10 GB'],
	['SIGNALBOX_MAX_WEBHOOK_BODY', '26 MiB'],
	['SIGNALBOX_ROLES', 'api,cook'],
	['SIGNALBOX_ADMIN_EMAIL', 'somebody'],
	['SIGNALBOX_ADMIN_EMAIL', 'somebody@home'],
	['SIGNALBOX_ADMIN_PASSWORD', 'short'],
	['SIGNALBOX_UPSTREAM_TIMEOUT', '5 minutes'],
	['SIGNALBOX_ALLOWED_ORIGINS', 'https://app.example.com/path'],
	['SIGNALBOX_METRICS_TOKEN', 'guess'],
	['LOG_LEVEL', 'loud'],
];

for (const [name, value] of refused) {
	test(`[HTTP-064] ${name}=${value} is refused by name, without its value`, (t) => {
		const error = t.throws(() => readConfig({[name]: value}), {instanceOf: ConfigError});
		t.regex(error?.message ?? '', new RegExp(`^  ${name}: `, 'm'));
	});
}

test('[ACC-106] a registration mode that does not exist refuses to start', (t) => {
	const error = t.throws(() => readConfig({SIGNALBOX_REGISTRATION: 'sometimes'}), {instanceOf: ConfigError});
	t.true(error?.message.includes('SIGNALBOX_REGISTRATION: must be one of open, invite, closed'));
});

test('a HOST that others reach needs the BASE_URL that they use', (t) => {
	const error = t.throws(() => readConfig({HOST: '0.0.0.0'}), {instanceOf: ConfigError});
	t.true(error?.message.includes('BASE_URL: is required'));
});

test('several faults are named at once', (t) => {
	const error = t.throws(() => readConfig({PORT: 'x', LOG_LEVEL: 'y'}), {instanceOf: ConfigError});
	t.regex(error?.message ?? '', /PORT: [\s\S]*LOG_LEVEL: /);
});

test('[HTTP-065] the printed configuration has every variable, and secrets as set or unset', (t) => {
	const secrets = {SIGNALBOX_ADMIN_EMAIL: 'a@example.com', SIGNALBOX_ADMIN_PASSWORD: 'a long password'};
	const metrics = {SIGNALBOX_METRICS_TOKEN: 'a-long-metrics-token'};
	const text = readConfig({...shared, ...secrets, ...metrics}).printed.join('\n');
	for (const secret of ['s3cret', 'a long password', 'a-long-metrics-token', shared.SIGNALBOX_JWT_KEYS.slice(3)]) {
		t.false(text.includes(secret));
	}
	t.regex(text, /^SIGNALBOX_ADMIN_PASSWORD=set$/m);
	t.regex(text, /^SIGNALBOX_METRICS_TOKEN=set$/m);
	t.regex(text, /^DATABASE_URL=mysql:\/\/\*\*\*@db\.internal:3306\/signalbox$/m);
	t.regex(readConfig({}).printed.join('\n'), /^SIGNALBOX_MASTER_KEYS=unset$/m);
});

test('[HTTP-063] only main.ts looks into the environment', async (t) => {
	const packages = join(import.meta.dirname, '..', '..');
	const readers: string[] = [];
	for await (const path of glob('*/src/**/*.ts', {cwd: packages})) {
		if ((await readFile(join(packages, path), 'utf8')).includes('process.env')) readers.push(path);
	}
	const programs = ['cli', 'hapi-server'];
	t.deepEqual(
		readers.toSorted(),
		programs.map((name) => join(name, 'src', 'main.ts')),
	);
});

import {defaultPlans, emailProblem} from '@signalbox/core';
import {type KeyRing, parseKeyRing} from '@signalbox/core/node';
import {z} from 'zod';
import {
	addressBlocks,
	choice,
	entries,
	optionalText,
	origins,
	port,
	redisAddress,
	seconds,
	size,
	text,
	webAddress,
	webOrigin,
} from './config-fields.ts';
import {isLoopback} from './http/client-address.ts';

const roles = ['api', 'proxy', 'ingest', 'worker', 'grpc'] as const;
export type Role = (typeof roles)[number];

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const megabyte = 1024 * 1024;

const keyRing = optionalText.transform((value, context): KeyRing | undefined => {
	if (value === undefined) return undefined;
	try {
		return parseKeyRing(value);
	} catch (error) {
		context.addIssue({code: 'custom', message: (error as Error).message});
		return z.NEVER;
	}
});

const plan = text('self_hosted').refine(
	(name) => defaultPlans.some((known) => known.name === name),
	`must be one of ${defaultPlans.map((known) => known.name).join(', ')}`,
);

const roleList = entries
	.transform((list) => (list.length === 0 ? [...roles] : list))
	.pipe(z.array(z.enum(roles, {error: `must be roles out of ${roles.join(', ')}`})));

/** Every variable that the server reads (decisions, "Configuration of the reference server"). */
const variables = z.object({
	HOST: text('127.0.0.1'),
	PORT: port(3000),
	GRPC_HOST: optionalText,
	GRPC_PORT: port(3001),
	GRPC_URL: webAddress,
	GRPC_TLS_CERT: optionalText,
	GRPC_TLS_KEY: optionalText,
	DATABASE_URL: optionalText.refine(
		(value) => value === undefined || /^(sqlite:.+|mysql:\/\/.+)$/.test(value),
		'must be sqlite:<path>, sqlite::memory: or mysql://user:password@host:port/database',
	),
	DATA_DIR: text('./data'),
	REDIS_URL: redisAddress,
	BASE_URL: webOrigin,
	PROXY_URL: webAddress,
	HOOK_URL: webAddress,
	SIGNALBOX_MASTER_KEYS: keyRing,
	SIGNALBOX_JWT_KEYS: keyRing,
	SIGNALBOX_DEFAULT_PLAN: plan,
	SIGNALBOX_REGISTRATION: choice(['open', 'invite', 'closed']),
	SIGNALBOX_ALLOWED_PRIVATE_CIDRS: optionalText.pipe(addressBlocks.optional()),
	SIGNALBOX_TRUSTED_PROXIES: addressBlocks,
	SIGNALBOX_MAX_PROXY_BODY: size('10 MiB', 1024 * megabyte),
	SIGNALBOX_MAX_WEBHOOK_BODY: size('1 MiB', 25 * megabyte),
	SIGNALBOX_ROLES: roleList,
	SIGNALBOX_ADMIN_EMAIL: optionalText.refine(
		(value) => value === undefined || emailProblem(value) === undefined,
		'must be an email address',
	),
	SIGNALBOX_ADMIN_PASSWORD: z
		.string()
		.optional()
		.transform((value) => (value?.trim() ? value : undefined))
		.refine(
			(value) => value === undefined || (value.length >= 8 && value.length <= 256),
			'must have 8 to 256 characters',
		),
	SIGNALBOX_UPSTREAM_TIMEOUT: seconds(300),
	SIGNALBOX_ALLOWED_ORIGINS: origins,
	SIGNALBOX_METRICS_TOKEN: optionalText.refine(
		(value) => value === undefined || value.length >= 16,
		'must have at least 16 characters',
	),
	LOG_LEVEL: choice(logLevels).transform((level) => level ?? 'info'),
});

type Variables = z.output<typeof variables>;
const names = Object.keys(variables.shape) as (keyof Variables)[];

/** Where agents and the command line reach the server. */
export type GrpcConfig = Readonly<{
	host: string;
	/** 0: any free port. */
	port: number;
	/** As they see it; undefined: made from host and port. */
	url: string | undefined;
	/** PEM files. */
	tls: Readonly<{cert_file: string; key_file: string}> | undefined;
}>;

/** What the reference server is told, complete and checked. Times are milliseconds, sizes bytes. */
export type Config = Readonly<{
	host: string;
	/** 0: any free port. */
	port: number;
	databaseUrl: string;
	/** True for a database that other processes may share: keys must then be given. */
	sharedDatabase: boolean;
	/** Through which signals and rate limits reach other processes. */
	redisUrl: string | undefined;
	dataDir: string;
	/** Public addresses, where they are set; otherwise made from host and port once the server listens. */
	baseUrl: string | undefined;
	proxyUrl: string | undefined;
	hookUrl: string | undefined;
	masterKeys: KeyRing | undefined;
	jwtKeys: KeyRing | undefined;
	defaultPlan: string;
	registration: 'open' | 'invite' | 'closed';
	allowedPrivateCidrs: readonly string[];
	trustedProxies: readonly string[];
	maxProxyBody: number;
	maxWebhookBody: number;
	roles: readonly Role[];
	grpc: GrpcConfig;
	admin: Readonly<{email: string; password: string}> | undefined;
	upstreamTimeout: number;
	allowedOrigins: readonly string[];
	metricsToken: string | undefined;
	logLevel: (typeof logLevels)[number];
	/** `HOST` is this machine: what browsers here are led to is to be ours. */
	loopback: boolean;
	/** Loopback and SQLite: one person on one machine. */
	local: boolean;
	/** Every variable as it is in effect, one a line, secrets as set or unset. */
	printed: readonly string[];
}>;

/** A setting that does not hold. The message names each variable at fault, and never a value. */
export class ConfigError extends Error {
	override readonly name = 'ConfigError';
}

const secretNames: readonly string[] = [
	'SIGNALBOX_MASTER_KEYS',
	'SIGNALBOX_JWT_KEYS',
	'SIGNALBOX_ADMIN_PASSWORD',
	'SIGNALBOX_METRICS_TOKEN',
	'GRPC_TLS_KEY',
];

const fail = (lines: readonly string[]): never => {
	throw new ConfigError(`The configuration is not valid:\n${lines.map((line) => `  ${line}`).join('\n')}`);
};

const parse = (env: Readonly<Record<string, string | undefined>>): Variables => {
	const result = variables.safeParse(env);
	if (result.success) return result.data;
	return fail(result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`));
};

/** What holds between variables. */
const contradictions = (values: Variables, databaseUrl: string): string[] => {
	const lines: string[] = [];
	const unset = (name: keyof Variables) => values[name] === undefined;
	if (!isLoopback(values.HOST) && unset('BASE_URL'))
		lines.push('BASE_URL: is required when HOST is not a loopback address');
	if (unset('SIGNALBOX_ADMIN_EMAIL') !== unset('SIGNALBOX_ADMIN_PASSWORD'))
		lines.push(
			'SIGNALBOX_ADMIN_EMAIL: SIGNALBOX_ADMIN_EMAIL and SIGNALBOX_ADMIN_PASSWORD are set together or not at all',
		);
	if (unset('GRPC_TLS_CERT') !== unset('GRPC_TLS_KEY'))
		lines.push('GRPC_TLS_CERT: GRPC_TLS_CERT and GRPC_TLS_KEY are set together or not at all');
	if (!isLoopback(values.GRPC_HOST ?? '127.0.0.1') && unset('GRPC_TLS_CERT'))
		lines.push('GRPC_HOST: off loopback gRPC takes a certificate: set GRPC_TLS_CERT and GRPC_TLS_KEY');
	if (isShared(databaseUrl)) {
		for (const name of ['SIGNALBOX_MASTER_KEYS', 'SIGNALBOX_JWT_KEYS'] as const)
			if (unset(name)) lines.push(`${name}: is required for a shared database`);
	}
	return lines;
};

const isShared = (databaseUrl: string): boolean => !databaseUrl.startsWith('sqlite:');

const withoutPassword = (address: string): string => address.replace(/\/\/.*@/s, '//***@');

const shown = (name: string, value: unknown): string => {
	if (secretNames.includes(name)) return value === undefined ? 'unset' : 'set';
	if (value === undefined) return 'unset';
	if (name === 'DATABASE_URL' || name === 'REDIS_URL') return withoutPassword(String(value));
	return Array.isArray(value) ? value.join(',') || 'none' : String(value);
};

const adminOf = (values: Variables): Config['admin'] => {
	const {SIGNALBOX_ADMIN_EMAIL: email, SIGNALBOX_ADMIN_PASSWORD: password} = values;
	return email === undefined || password === undefined ? undefined : {email, password};
};

const tlsOf = (values: Variables): GrpcConfig['tls'] => {
	const {GRPC_TLS_CERT: cert_file, GRPC_TLS_KEY: key_file} = values;
	return cert_file === undefined || key_file === undefined ? undefined : {cert_file, key_file};
};

/** Whether nobody but this machine is to reach the server: behind a public address a reverse proxy beside it lets all in. */
const isPrivate = ({HOST, BASE_URL}: Variables): boolean => {
	const named = BASE_URL === undefined ? HOST : new URL(BASE_URL).hostname.replace(/^\[|\]$/g, '');
	return isLoopback(HOST) && (named === 'localhost' || isLoopback(named));
};

/** Defaults that follow from other variables. */
const derived = (values: Variables) => {
	const loopback = isLoopback(values.HOST);
	const isOpen = isPrivate(values);
	const DATABASE_URL = values.DATABASE_URL ?? `sqlite:${values.DATA_DIR}/signalbox.db`;
	return {
		...values,
		DATABASE_URL,
		// API keys never travel in the clear: without a certificate gRPC stays on this machine.
		GRPC_HOST: values.GRPC_HOST ?? (loopback || tlsOf(values) ? values.HOST : '127.0.0.1'),
		PROXY_URL: values.PROXY_URL ?? values.BASE_URL,
		HOOK_URL: values.HOOK_URL ?? values.BASE_URL,
		SIGNALBOX_REGISTRATION: values.SIGNALBOX_REGISTRATION ?? (isOpen ? ('open' as const) : ('invite' as const)),
		SIGNALBOX_ALLOWED_PRIVATE_CIDRS:
			values.SIGNALBOX_ALLOWED_PRIVATE_CIDRS ?? (isOpen ? ['127.0.0.0/8', '::1/128'] : []),
	};
};

/**
 * Reads the environment record.
 * @throws ConfigError that names every variable at fault.
 */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): Config => {
	const values = derived(parse(env));
	const lines = contradictions(values, values.DATABASE_URL);
	if (lines.length > 0) fail(lines);
	return {
		host: values.HOST,
		port: values.PORT,
		databaseUrl: values.DATABASE_URL,
		sharedDatabase: isShared(values.DATABASE_URL),
		redisUrl: values.REDIS_URL,
		dataDir: values.DATA_DIR,
		baseUrl: values.BASE_URL,
		proxyUrl: values.PROXY_URL,
		hookUrl: values.HOOK_URL,
		masterKeys: values.SIGNALBOX_MASTER_KEYS,
		jwtKeys: values.SIGNALBOX_JWT_KEYS,
		defaultPlan: values.SIGNALBOX_DEFAULT_PLAN,
		registration: values.SIGNALBOX_REGISTRATION,
		allowedPrivateCidrs: values.SIGNALBOX_ALLOWED_PRIVATE_CIDRS,
		trustedProxies: values.SIGNALBOX_TRUSTED_PROXIES,
		maxProxyBody: values.SIGNALBOX_MAX_PROXY_BODY,
		maxWebhookBody: values.SIGNALBOX_MAX_WEBHOOK_BODY,
		roles: values.SIGNALBOX_ROLES,
		grpc: {host: values.GRPC_HOST, port: values.GRPC_PORT, url: values.GRPC_URL, tls: tlsOf(values)},
		admin: adminOf(values),
		upstreamTimeout: values.SIGNALBOX_UPSTREAM_TIMEOUT * 1000,
		allowedOrigins: values.SIGNALBOX_ALLOWED_ORIGINS,
		metricsToken: values.SIGNALBOX_METRICS_TOKEN,
		logLevel: values.LOG_LEVEL,
		loopback: isLoopback(values.HOST),
		local: isLoopback(values.HOST) && !isShared(values.DATABASE_URL),
		printed: names.map((name) => `${name}=${shown(name, values[name])}`),
	};
};

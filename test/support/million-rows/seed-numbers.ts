import type {SeedEngine} from './seed-engine.ts';

/** One of each in the tenant that gets most rows: they are what is copied. */
export type Originals = Readonly<{
	user_id: string;
	team_id: string;
	server_id: string;
	endpoint_id: string;
	job_id: string;
	chain_id: string;
}>;

/** How many rows of each kind. What belongs to them comes with them. */
export type Counts = Readonly<
	Record<
		'calls' | 'approvals' | 'events' | 'executions' | 'chainExecutions' | 'notifications' | 'audit' | 'sessions',
		number
	>
>;

/** A little more than 1,000,000 rows, with what belongs to them. */
export const million: Counts = {
	...{calls: 200_000, approvals: 30_000, events: 100_000, executions: 80_000},
	...{chainExecutions: 20_000, notifications: 30_000, audit: 50_000, sessions: 20_000},
};

/** Tenants beside the big one, with an account, a server, an endpoint, a job and a chain each. */
export const smallTenants = 1999;

/** Servers, endpoints, jobs and chains of the big tenant, each. */
export const ofBigTenant = 5;

/** What ids of a kind have in common. */
export const kinds = {
	...{user: 1, team: 2, server: 3, endpoint: 4, job: 5, chain: 6, call: 7, approval: 8, event: 9, delivery: 10},
	...{attempt: 11, execution: 12, chainExecution: 13, notification: 14, audit: 15, family: 16, token: 17},
};

/** Less than what any plan that is tried keeps. */
const seconds = 29 * 24 * 3600;

/** Below `below`, without a pattern that two columns would share: `salt` tells them apart. */
export const mixed = (salt: number, below: number): string =>
	`((i + ${salt}) * 7919 % 1000003 * 31 % 10007 % ${below})`;

/** Who owns row `i`: of ten rows eight are the big tenant's. */
export const owner = `JOIN seed_owners o ON o.n = CASE WHEN i % 10 < 8 THEN ${mixed(0, ofBigTenant)} ELSE ${ofBigTenant} + i % ${smallTenants} END`;

/** Rows of that count are spread over the days, the last one now. */
export const moments = ({ago}: SeedEngine, count: number): string => ago(`(${count - 1} - i) * ${seconds / count}`);

const hex = (n: number, digits: number): string => n.toString(16).padStart(digits, '0');

/** The id of that kind which engines make of a number. */
export const idOf = (kind: number, n: number): string => `${hex(n, 8)}-${hex(kind, 4)}-7000-8000-${hex(n, 12)}`;

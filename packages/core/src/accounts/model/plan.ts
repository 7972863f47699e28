/** What a plan allows; `null` is no limit. Plans are data: an embedder brings its own (decisions, "Plans"). */
export type Plan = Readonly<{
	name: string;
	endpoints: number | null;
	cron_jobs: number | null;
	mcp_servers: number | null;
	api_keys: number | null;
	api_requests_per_minute: number | null;
	api_burst: number;
	retention_days: number;
	events_per_month: number | null;
}>;

const noLimits = {endpoints: null, cron_jobs: null, mcp_servers: null} as const;

export const defaultPlans: readonly Plan[] = [
	{
		name: 'free',
		endpoints: 3,
		cron_jobs: 5,
		mcp_servers: 3,
		api_keys: 2,
		api_requests_per_minute: 60,
		api_burst: 10,
		retention_days: 7,
		events_per_month: 10_000,
	},
	{
		name: 'pro',
		endpoints: 25,
		cron_jobs: 50,
		mcp_servers: 25,
		api_keys: 10,
		api_requests_per_minute: 300,
		api_burst: 50,
		retention_days: 30,
		events_per_month: 100_000,
	},
	{
		...noLimits,
		name: 'business',
		api_keys: 50,
		api_requests_per_minute: 1000,
		api_burst: 100,
		retention_days: 90,
		events_per_month: 1_000_000,
	},
	{
		...noLimits,
		name: 'self_hosted',
		api_keys: null,
		api_requests_per_minute: null,
		api_burst: 0,
		retention_days: 30,
		events_per_month: null,
	},
];

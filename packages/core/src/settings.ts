import {defaultPlans, type Plan} from './accounts/model/plan.ts';
import {type AgentTimes, defaultAgentTimes} from './cron/model/agent.ts';

/** What an embedder may set. Times are whole seconds. */
export type CoreSettings = Readonly<{
	plans: readonly Plan[];
	/** Plan of new users: the name of one of `plans`. */
	default_plan: string;
	registration: 'open' | 'invite' | 'closed';
	access_token_seconds: number;
	refresh_token_seconds: number;
	/** How long a used refresh token still answers its successor. */
	refresh_grace_seconds: number;
	/** Pending approvals a server may have at once. */
	max_pending_approvals: number;
	/** Largest message of a tool call that may wait for a person: it is kept in memory meanwhile, and read by people. Bytes. */
	max_held_bytes: number;
	/** What agents are told when they register. */
	agent_times: AgentTimes;
}>;

export const defaultSettings: CoreSettings = {
	plans: defaultPlans,
	default_plan: 'self_hosted',
	registration: 'open',
	access_token_seconds: 15 * 60,
	refresh_token_seconds: 7 * 24 * 3600,
	refresh_grace_seconds: 10,
	max_pending_approvals: 100,
	max_held_bytes: 256 * 1024,
	agent_times: defaultAgentTimes,
};

/** The plan of that name; an account whose plan was taken away has the default one. @throws Error without a default. */
export const planOf = ({plans, default_plan}: Pick<CoreSettings, 'plans' | 'default_plan'>, name: string): Plan => {
	const plan = plans.find((each) => each.name === name) ?? plans.find((each) => each.name === default_plan);
	if (plan === undefined) throw new Error(`settings.plans holds no default_plan ${default_plan}`);
	return plan;
};

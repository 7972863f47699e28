import type {DomainEvent, Ports} from '../ports/index.ts';
import type {LiveEvent} from './model/live-event.ts';
import {summaryOfApproval, summaryOfChainExecution, summaryOfExecution, summaryOfPending} from './rules/summaries.ts';

type Data = LiveEvent['data'];

/** Something that may be told. What is told of it is found out once it is known that somebody listens. */
export type News = Pick<LiveEvent, 'type' | 'team_id' | 'user_id'> &
	Readonly<{
		/** Undefined: it is gone. */
		data(): Data | Promise<Data | undefined>;
	}>;

type Needs = Pick<Ports, 'approvals' | 'executions' | 'chainExecutions'>;

type Of<Type extends DomainEvent['type']> = Extract<DomainEvent, {type: Type}>;

const ofApproval = (
	{approvals}: Needs,
	{type, approval_id, team_id}: Of<'approval.pending' | 'approval.decided'>,
): News => ({
	...{type, team_id, user_id: null},
	data: async () => {
		const approval = await approvals.get({user_id: '', team_ids: [team_id]}, approval_id);
		if (approval === undefined) return undefined;
		return type === 'approval.pending' ? summaryOfPending(approval) : summaryOfApproval(approval);
	},
});

const ofExecution = ({executions}: Needs, {type, execution_id, user_id, status}: Of<'cron.execution'>): News => ({
	...{type, team_id: null, user_id},
	data: async () => {
		const execution = await executions.get(user_id, execution_id);
		return execution && {...summaryOfExecution(execution), status};
	},
});

const ofChainExecution = (
	{chainExecutions}: Needs,
	{type, chain_execution_id, user_id}: Of<'chain.execution'>,
): News => ({
	...{type, team_id: null, user_id},
	data: async () => {
		const execution = await chainExecutions.get(user_id, chain_execution_id);
		return execution && summaryOfChainExecution(execution);
	},
});

const ofDelivery = ({type, delivery_id: id, event_id, endpoint_id, team_id, status}: Of<'webhook.delivery'>): News => ({
	...{type, team_id, user_id: null},
	data: () => ({id, event_id, endpoint_id, status}),
});

/** What an event means to people who look on; undefined: nothing. */
export const newsOf = (needs: Needs, event: DomainEvent): News | undefined => {
	switch (event.type) {
		case 'approval.pending':
		case 'approval.decided':
			return ofApproval(needs, event);
		case 'webhook.delivery':
			return ofDelivery(event);
		case 'cron.execution':
			return ofExecution(needs, event);
		case 'chain.execution':
			return ofChainExecution(needs, event);
		default:
			return undefined;
	}
};

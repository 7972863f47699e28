import {createDirectory, type Directory} from '../directory.ts';
import type {DomainEvent, EndpointPipeline, Ports} from '../ports/index.ts';
import {type CoreSettings, planOf} from '../settings.ts';
import {type CompiledEndpoint, compileEndpoint} from './rules/compile-endpoint.ts';

/** An endpoint as webhooks meet it, active or not. */
export type ReadyEndpoint = Readonly<{
	pipeline: EndpointPipeline;
	compiled: CompiledEndpoint;
	/** Events that the plan of its user allows in a month; null: no limit. */
	monthly_limit: number | null;
}>;

export type EndpointDirectory = Directory<ReadyEndpoint>;

type Needs = Pick<Ports, 'users' | 'signals' | 'clock' | 'endpoints'>;

/** Compiled once for each version of an endpoint. */
export const createEndpointDirectory = (needs: Needs, settings: CoreSettings): EndpointDirectory =>
	createDirectory<ReadyEndpoint>(needs, {
		read: async (slug, known) => {
			const pipeline = await needs.endpoints.pipelineBySlug(slug, known?.pipeline);
			if (pipeline === undefined) return undefined;
			const {endpoint, middlewares, rules} = pipeline;
			const isKnown = known?.pipeline === pipeline;
			const compiled = isKnown ? known.compiled : compileEndpoint(endpoint, middlewares, rules);
			const user = await needs.users.byId(endpoint.user_id);
			return {pipeline, compiled, monthly_limit: planOf(settings, user?.plan ?? '').events_per_month};
		},
		changedBy,
	});

const changedBy = (event: DomainEvent): ((known: ReadyEndpoint) => boolean) | undefined => {
	switch (event.type) {
		case 'webhook.endpoint.changed':
			return ({pipeline}) => pipeline.endpoint.id === event.endpoint_id;
		case 'team.deleted':
			return ({pipeline}) => pipeline.endpoint.team_id === event.team_id;
		default:
			return undefined;
	}
};

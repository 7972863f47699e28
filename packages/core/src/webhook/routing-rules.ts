import {createAuditTrail} from '../audit-trail.ts';
import {DomainError, invalidFields} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import {createEndpointAccess} from './endpoint-access.ts';
import {mostRoutingRules, type RoutingRule} from './model/routing-rule.ts';
import type {NewRoutingRule, ParsedRuleSettings, RuleSettings} from './model/rule-settings.ts';
import {mergeRule, readRule} from './rules/read-rule.ts';

/** Where webhooks of an endpoint go (specification, "Routing rules"). */
export type RoutingRules = Readonly<{
	/**
	 * Without a `sort_order` it goes last. @throws validation_error that names the field at fault; conflict when the endpoint
	 * has `mostRoutingRules`.
	 */
	create(caller: Caller, endpoint_id: string, request: NewRoutingRule): Promise<RoutingRule>;
	/** All of them, inactive ones too, in the order in which they are judged. */
	list(caller: Caller, endpoint_id: string): Promise<readonly RoutingRule[]>;
	update(caller: Caller, place: RulePlace, request: RuleSettings): Promise<RoutingRule>;
	delete(caller: Caller, place: RulePlace): Promise<void>;
}>;

/** Which rule of which endpoint. */
type RulePlace = Readonly<{endpoint_id: string; rule_id: string}>;

type Needs = Pick<Ports, 'audit' | 'signals' | 'clock' | 'ids' | 'endpoints' | 'routingRules'>;

// The record of changes names headers and templates and never holds them: some are secrets that nobody made a variable.
export const createRoutingRules = (needs: Needs): RoutingRules => {
	const record = createAuditTrail(needs);
	const {find, announce} = createEndpointAccess(needs);
	return {
		create: async (caller, endpoint_id, request) => {
			const read = readOrRefuse(request);
			const {team_id} = await find(caller, endpoint_id);
			const made = await needs.routingRules.create({...read, id: needs.ids.next(), endpoint_id}, mostRoutingRules);
			const {name, destination_url} = made;
			const data = {endpoint_id, name, destination_url};
			await record(caller, {action: 'routing_rule.created', team_id, target_id: made.id, data});
			announce({id: endpoint_id, team_id});
			return made;
		},
		list: async (caller, endpoint_id) => {
			await find(caller, endpoint_id);
			return needs.routingRules.list(endpoint_id);
		},
		update: async (caller, {endpoint_id, rule_id}, request) => {
			const {team_id} = await find(caller, endpoint_id);
			const after = await needs.routingRules.update(endpoint_id, rule_id, applying(request));
			if (after === undefined) throw new DomainError('resource_not_found');
			const data = {endpoint_id, name: after.name, fields: Object.keys(request)};
			await record(caller, {action: 'routing_rule.updated', team_id, target_id: rule_id, data});
			announce({id: endpoint_id, team_id});
			return after;
		},
		delete: async (caller, {endpoint_id, rule_id}) => {
			const {team_id} = await find(caller, endpoint_id);
			if (!(await needs.routingRules.delete(endpoint_id, rule_id))) throw new DomainError('resource_not_found');
			await record(caller, {action: 'routing_rule.deleted', team_id, target_id: rule_id, data: {endpoint_id}});
			announce({id: endpoint_id, team_id});
		},
	};
};

const readOrRefuse = (request: RuleSettings): ParsedRuleSettings => {
	const read = readRule(request);
	if (read.ok) return read.value;
	throw invalidFields(read.details);
};

const applying =
	(request: RuleSettings) =>
	(current: RoutingRule): RoutingRule => {
		const {id, endpoint_id, ...settings} = current;
		const {sort_order = current.sort_order, ...read} = readOrRefuse(mergeRule(settings, request));
		return {...read, id, endpoint_id, sort_order};
	};

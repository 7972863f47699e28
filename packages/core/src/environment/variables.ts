import {type AuditTrail, createAuditTrail} from '../audit-trail.ts';
import {DomainError, invalidFields} from '../errors.ts';
import type {Ports, VariableViewer} from '../ports/index.ts';
import {variableBinding} from '../values/binding.ts';
import type {Caller} from '../values/caller.ts';
import type {Variable, VariableRecord, VariableScope} from './model/variable.ts';
import {variableProblems} from './rules/variable-fields.ts';
import {variableOf} from './rules/variable-view.ts';

export type NewVariable = Readonly<{
	key: string;
	value: string;
	is_secret?: boolean | undefined;
	scope?: VariableScope | undefined;
	description?: string | undefined;
	team_id?: string | undefined;
}>;

export type VariableChange = Readonly<{
	value?: string | undefined;
	description?: string | undefined;
	scope?: VariableScope | undefined;
}>;

/** Environment variables of the caller and of their teams. Values go in and never come out. */
export type Variables = Readonly<{
	/** @throws resource_exists; validation_error; resource_not_found for a team_id of others. */
	create(caller: Caller, request: NewVariable): Promise<Variable>;
	/** The caller's own, and those of the active team. */
	list(caller: Caller): Promise<readonly Variable[]>;
	/** @throws resource_not_found */
	get(caller: Caller, id: string): Promise<Variable>;
	/** @throws resource_not_found; validation_error. */
	update(caller: Caller, id: string, request: VariableChange): Promise<Variable>;
	/** @throws resource_not_found */
	delete(caller: Caller, id: string): Promise<void>;
}>;

type Needs = Pick<Ports, 'variables' | 'cipher' | 'audit' | 'clock' | 'ids'>;

const viewerOf = ({user_id, team_ids}: Caller): VariableViewer => ({user_id, team_ids});

const check = (fields: Parameters<typeof variableProblems>[0]): void => {
	const details = variableProblems(fields);
	if (details.length > 0) throw invalidFields(details);
};

/** A team reads the names of its own variables only: one that is the caller's own is told without its key. */
const auditOf = ({id: target_id, key, scope, team_id}: Variable) => ({
	target_id,
	team_id,
	data: team_id === undefined ? {scope} : {key, scope},
});

const variableMaker = ({variables, cipher, clock, ids}: Needs, record: AuditTrail): Variables['create'] => {
	return async (caller, request) => {
		check(request);
		const {key, team_id} = request;
		if (team_id !== undefined && !caller.team_ids.includes(team_id)) {
			throw new DomainError('resource_not_found', {message: 'team_id names no team of yours.'});
		}
		const now = clock.now();
		const place = {id: ids.next(), user_id: caller.user_id, key, ...(team_id === undefined ? {} : {team_id})};
		const variable: VariableRecord = {
			...place,
			is_secret: request.is_secret ?? true,
			scope: request.scope ?? 'all',
			description: request.description ?? null,
			value: cipher.seal(request.value, variableBinding(place)),
			created_at: now,
			updated_at: now,
		};
		await variables.create(variable);
		await record(caller, {action: 'environment.created', ...auditOf(variable)});
		return variableOf(variable);
	};
};

const variableFinder =
	({variables}: Needs) =>
	async (caller: Caller, id: string): Promise<VariableRecord> => {
		const variable = await variables.get(viewerOf(caller), id);
		if (variable === undefined) throw new DomainError('resource_not_found');
		return variable;
	};

const variableChanger = (needs: Needs, record: AuditTrail): Variables['update'] => {
	const {variables, cipher, clock} = needs;
	const find = variableFinder(needs);

	const changeOf = (variable: VariableRecord, {value, description, scope}: VariableChange) => ({
		...(value === undefined ? {} : {value: cipher.seal(value, variableBinding(variable))}),
		...(description === undefined ? {} : {description}),
		...(scope === undefined ? {} : {scope}),
	});

	return async (caller, id, request) => {
		check({value: request.value, description: request.description, scope: request.scope});
		const change = changeOf(await find(caller, id), request);
		const variable = await variables.update(viewerOf(caller), id, {...change, updated_at: clock.now()});
		if (variable === undefined) throw new DomainError('resource_not_found');
		const {data, ...target} = auditOf(variable);
		await record(caller, {action: 'environment.updated', ...target, data: {...data, fields: Object.keys(change)}});
		return variableOf(variable);
	};
};

export const createVariables = (needs: Needs): Variables => {
	const {variables} = needs;
	const record = createAuditTrail(needs);
	const find = variableFinder(needs);
	return {
		create: variableMaker(needs, record),
		list: async ({user_id, team_id}) => (await variables.list({user_id, team_ids: [team_id]})).map(variableOf),
		get: async (caller, id) => variableOf(await find(caller, id)),
		update: variableChanger(needs, record),
		delete: async (caller, id) => {
			const variable = await find(caller, id);
			if (!(await variables.delete(viewerOf(caller), id))) throw new DomainError('resource_not_found');
			await record(caller, {action: 'environment.deleted', ...auditOf(variable)});
		},
	};
};

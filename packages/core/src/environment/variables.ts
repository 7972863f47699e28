import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';
import type {Variable, VariableScope} from './model/variable.ts';

export type NewVariable = Readonly<{
	key: string;
	value: string;
	is_secret?: boolean | undefined;
	scope?: VariableScope | undefined;
	description?: string | undefined;
	team_id?: string | undefined;
}>;

/** Environment variables of the caller and of their teams. Values go in and never come out. */
export type Variables = Readonly<{
	/** @throws resource_exists; validation_error; resource_not_found for a team_id of others. */
	create(caller: Caller, request: NewVariable): Promise<Variable>;
	list(caller: Caller): Promise<readonly Variable[]>;
	get(caller: Caller, id: string): Promise<Variable>;
	update(
		caller: Caller,
		id: string,
		request: Readonly<{
			value?: string | undefined;
			description?: string | undefined;
			scope?: VariableScope | undefined;
		}>,
	): Promise<Variable>;
	delete(caller: Caller, id: string): Promise<void>;
}>;

export const createVariables = (_needs: Pick<Ports, 'variables' | 'cipher' | 'audit' | 'clock' | 'ids'>): Variables => {
	throw new Error('not built');
};

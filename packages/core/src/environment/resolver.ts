import type {Ports} from '../ports/index.ts';
import type {VariableUse} from './model/variable.ts';

/** On whose behalf templates resolve: the resource's creator and team. */
export type ResourceOwner = Readonly<{user_id: string; team_id: string}>;

/** A template that did not resolve: which key, for what use, and why. Holds no value. */
export type Unresolved = Readonly<{key: string; use: VariableUse; because: 'missing' | 'out_of_scope'}>;

export type Resolution =
	| Readonly<{ok: true; texts: readonly string[]}>
	| Readonly<{ok: false; unresolved: readonly Unresolved[]}>;

/** Resolves `{{env.KEY}}` at the moment of use (decisions, "Environment variables and templates"). */
export type Resolver = Readonly<{
	/**
	 * Each text with its references replaced; a result is never scanned again. A resource of a personal team sees its
	 * owner's variables (own ones first), any other only its team's.
	 */
	resolve(owner: ResourceOwner, use: VariableUse, texts: readonly string[]): Promise<Resolution>;
}>;

export const createResolver = (_needs: Pick<Ports, 'variables' | 'teams' | 'cipher'>): Resolver => {
	throw new Error('not built');
};

import type {Ports} from '../ports/index.ts';
import {variableBinding} from '../values/binding.ts';
import {fillTemplate, referencesIn} from '../values/template.ts';
import type {VariableRecord, VariableUse} from './model/variable.ts';
import {chooseVariable} from './rules/choose-variable.ts';

/** On whose behalf templates resolve: the resource's creator and team. */
export type ResourceOwner = Readonly<{user_id: string; team_id: string}>;

/**
 * A template that did not resolve: which key, for what use, and why. Holds no value. `unreadable`: the variable is
 * there, but its sealed value does not open (its master key is missing).
 */
export type Unresolved = Readonly<{
	key: string;
	use: VariableUse;
	because: 'missing' | 'out_of_scope' | 'unreadable';
}>;

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

type Needs = Pick<Ports, 'variables' | 'teams' | 'cipher'>;

const distinctReferences = (texts: readonly string[]): readonly string[] => [...new Set(texts.flatMap(referencesIn))];

/** Those that may be meant, the first of a key winning. */
const candidatesFinder =
	({variables, teams}: Needs) =>
	async ({user_id, team_id}: ResourceOwner, keys: readonly string[]): Promise<readonly VariableRecord[]> => {
		const team = await teams.get(user_id, team_id);
		const ofTeam = await variables.byKeys({team_id}, keys);
		return team?.is_personal === true
			? [...(await variables.byKeys({user_id, team_id: null}, keys)), ...ofTeam]
			: ofTeam;
	};

const valueReader =
	({cipher}: Needs) =>
	(variable: VariableRecord): string | undefined => {
		try {
			return cipher.open(variable.value, variableBinding(variable));
		} catch {
			return undefined;
		}
	};

export const createResolver = (needs: Needs): Resolver => {
	const findCandidates = candidatesFinder(needs);
	const readValue = valueReader(needs);

	const readReference = (candidates: readonly VariableRecord[], key: string, use: VariableUse) => {
		const choice = chooseVariable(candidates, key, use);
		if (!choice.ok) return {key, use, because: choice.because} as const;
		return readValue(choice.variable) ?? ({key, use, because: 'unreadable'} as const);
	};

	return {
		resolve: async (owner, use, texts) => {
			const keys = distinctReferences(texts);
			if (keys.length === 0) return {ok: true, texts};
			const candidates = await findCandidates(owner, keys);
			const values = new Map<string, string>();
			const unresolved: Unresolved[] = [];
			for (const key of keys) {
				const read = readReference(candidates, key, use);
				if (typeof read === 'string') values.set(key, read);
				else unresolved.push(read);
			}
			if (unresolved.length > 0) return {ok: false, unresolved};
			return {ok: true, texts: texts.map((text) => fillTemplate(text, (key) => values.get(key) ?? ''))};
		},
	};
};

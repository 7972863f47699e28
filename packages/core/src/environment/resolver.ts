import type {Ports} from '../ports/index.ts';
import {variableBinding} from '../values/binding.ts';
import {fillTemplate, limitFilling, referencesIn} from '../values/template.ts';
import type {UnresolvedKey} from '../values/unresolved-message.ts';
import type {VariableRecord, VariableUse} from './model/variable.ts';
import {chooseVariable} from './rules/choose-variable.ts';

/** On whose behalf templates resolve: the resource's creator and team. */
export type ResourceOwner = Readonly<{user_id: string; team_id: string}>;

/** A template that did not resolve: which key, for what use, and why. Holds no value. */
export type Unresolved = UnresolvedKey & Readonly<{use: VariableUse}>;

/** What a key stands for, or why it stands for nothing. */
export type LookedUp = Readonly<{value: string}> | Unresolved;

export type Resolution =
	| Readonly<{ok: true; texts: readonly string[]}>
	| Readonly<{ok: false; unresolved: readonly Unresolved[]}>;

/** Resolves `{{env.KEY}}` at the moment of use (decisions, "Environment variables and templates"). */
export type Resolver = Readonly<{
	/** What each key stands for now, on behalf of that owner. */
	lookUp(owner: ResourceOwner, use: VariableUse, keys: readonly string[]): Promise<ReadonlyMap<string, LookedUp>>;
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

	const readReference = (candidates: readonly VariableRecord[], key: string, use: VariableUse): LookedUp => {
		const choice = chooseVariable(candidates, key, use);
		if (!choice.ok) return {key, use, because: choice.because};
		const value = readValue(choice.variable);
		return value === undefined ? {key, use, because: 'unreadable'} : {value};
	};

	const lookUp: Resolver['lookUp'] = async (owner, use, keys) => {
		const candidates = keys.length === 0 ? [] : await findCandidates(owner, keys);
		return new Map(keys.map((key) => [key, readReference(candidates, key, use)]));
	};

	return {
		lookUp,
		resolve: async (owner, use, texts) => {
			const found = await lookUp(owner, use, distinctReferences(texts));
			const unresolved = [...found.values()].filter((each) => 'because' in each);
			if (unresolved.length > 0) return {ok: false, unresolved};
			return fillAll(texts, found, use);
		},
	};
};

class TooLong extends RangeError {
	readonly key: string;

	constructor(key: string) {
		super('Variables add more than 1 MiB.');
		this.key = key;
	}
}

const fillAll = (texts: readonly string[], found: ReadonlyMap<string, LookedUp>, use: VariableUse): Resolution => {
	const limited = limitFilling((key) => new TooLong(key));
	const fill = (text: string) => fillTemplate(text, (key) => limited(key, textOf(found.get(key))));
	try {
		return {ok: true, texts: texts.map(fill)};
	} catch (error) {
		if (!(error instanceof TooLong)) throw error;
		return {ok: false, unresolved: [{key: error.key, use, because: 'too_long'}]};
	}
};

const textOf = (found: LookedUp | undefined): string => (found !== undefined && 'value' in found ? found.value : '');

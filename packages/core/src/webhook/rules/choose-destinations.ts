import type {RoutingMode} from '../model/routing-rule.ts';
import type {RoutingTrace} from '../model/trace.ts';
import type {CompiledRule} from './compile-routing.ts';
import {type EnvMarkers, isExpected} from './env-markers.ts';
import type {MessageView} from './message-view.ts';

/** The rules that a webhook goes by; null stands for the endpoint's primary destination. */
export type Choice = Readonly<{
	chosen: readonly (CompiledRule | null)[];
	/** Why each rule matched or did not; rules after the one that decided are not judged. */
	rules: RoutingTrace['rules'];
	/**
	 * A rule could not be judged: its pattern is too slow for what it was put to, or a variable has no value. Then nobody can
	 * say where it goes.
	 */
	failed: boolean;
}>;

export type RoutingFacts = Readonly<{
	view: MessageView;
	markers: EnvMarkers;
	/** Called before each rule; what it throws ends the choice, and is thrown. */
	proceed?: () => void;
}>;

type Judged = Readonly<{compiled: CompiledRule; matched: boolean; reason: string; failed?: boolean}>;

const judge = (compiled: CompiledRule, {view, markers, proceed}: RoutingFacts): Judged => {
	proceed?.();
	const {condition} = compiled;
	if (condition === undefined) return {compiled, matched: true, reason: 'it has no condition'};
	try {
		const {holds, because} = condition.judge(view, condition.path, markers);
		return {compiled, matched: holds, reason: because};
	} catch (error) {
		if (!isExpected(error)) throw error;
		return {compiled, matched: false, reason: error.message, failed: true};
	}
};

const judgeUntilFirst = (rules: readonly CompiledRule[], facts: RoutingFacts): readonly Judged[] => {
	const judged: Judged[] = [];
	for (const rule of rules) {
		const verdict = judge(rule, facts);
		judged.push(verdict);
		if (verdict.matched) break;
	}
	return judged;
};

const judgeAll = (
	mode: Exclude<RoutingMode, 'single'>,
	rules: readonly CompiledRule[],
	facts: RoutingFacts,
): readonly Judged[] => {
	switch (mode) {
		case 'first_match':
			return judgeUntilFirst(rules, facts);
		case 'all_match':
			return rules.map((rule) => judge(rule, facts));
		case 'broadcast':
			return rules.map((compiled) => ({compiled, matched: true, reason: 'every rule gets a broadcast'}));
	}
};

/** Chooses where a webhook goes (specification, "Routing rule"). */
export const chooseDestinations = (mode: RoutingMode, rules: readonly CompiledRule[], facts: RoutingFacts): Choice => {
	if (mode === 'single') return {chosen: [null], rules: [], failed: false};
	const judged = judgeAll(mode, rules, facts);
	return {
		chosen: judged.filter(({matched}) => matched).map(({compiled}) => compiled),
		rules: judged.map(({compiled: {rule}, matched, reason}) => ({rule_id: rule.id, name: rule.name, matched, reason})),
		failed: judged.some(({failed}) => failed),
	};
};

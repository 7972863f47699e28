import test from 'ava';
import type {RoutingMode, RoutingRule} from '../../src/webhook/model/routing-rule.ts';
import {chooseDestinations} from '../../src/webhook/rules/choose-destinations.ts';
import {compileRouting} from '../../src/webhook/rules/compile-routing.ts';
import {viewMessage} from '../../src/webhook/rules/message-view.ts';
import {markersOf, messageOf, ruleOf} from './support.ts';

const push = messageOf(
	{ref: 'refs/heads/main', n: 5, ok: true, none: null, o: {b: 1}, commits: [{id: 'a'}, {id: 'b'}], one: ['a']},
	{headers: [['X-GitHub-Event', 'push']], method: 'POST'},
);

const choose = (mode: RoutingMode, rules: readonly RoutingRule[], [message, markers] = [push, markersOf()] as const) =>
	chooseDestinations(mode, compileRouting(rules), {view: viewMessage(message), markers});

const chosenIds = (mode: RoutingMode, rules: readonly RoutingRule[]) =>
	choose(mode, rules).chosen.map((compiled) => compiled?.rule.id ?? null);

for (const [ids, source, field, operator, value, matches] of [
	['RTE-025][RTE-043', 'header', 'x-github-event', 'equals', 'push', true],
	['RTE-025', 'header', 'x-github-event', 'equals', 'pus', false],
	['RTE-025', 'header', 'x-github-event', 'equals', 'Push', false],
	['RTE-025', 'header', 'x-github-event', 'equals', ' push', false],
	['RTE-026][RTE-042', 'body', '$.ref', 'equals', 'refs/heads/main', true],
	['RTE-026', 'body', '$.ref', 'equals', 'main', false],
	['RTE-027][RTE-044', 'method', null, 'equals', 'POST', true],
	['RTE-027', 'method', null, 'equals', 'GET', false],
	['RTE-028', 'header', 'x-github-event', 'not_equals', 'issues', true],
	['RTE-028', 'header', 'x-github-event', 'not_equals', 'push', false],
	['RTE-029', 'body', '$.ref', 'not_equals', 'x', true],
	['RTE-030', 'method', null, 'not_equals', 'GET', true],
	['RTE-031', 'header', 'X-GITHUB-EVENT', 'contains', 'us', true],
	['RTE-031', 'header', 'X-GITHUB-EVENT', 'contains', 'US', false],
	['RTE-032', 'body', '$.ref', 'contains', 'heads', true],
	['RTE-033', 'header', 'x-github-event', 'matches', '^p.sh$', true],
	['RTE-034', 'body', '$.ref', 'matches', 'heads/(main|master)', true],
	['RTE-034', 'body', '$.ref', 'matches', '^main', false],
	['RTE-035', 'header', 'x-github-event', 'exists', 'ignored', true],
	['RTE-035', 'header', 'x-missing', 'exists', null, false],
	['RTE-036', 'body', '$.none', 'exists', 'ignored', true],
	['RTE-036', 'body', '$.missing', 'exists', null, false],
	['RTE-046', 'body', '$.commits[*].id', 'equals', 'b', true],
	['RTE-046', 'body', '$.commits[*].id', 'equals', 'c', false],
	['RTE-047', 'body', '$.n', 'equals', '5', true],
	['RTE-047', 'body', '$.ok', 'equals', 'true', true],
	['RTE-047', 'body', '$.none', 'equals', 'null', true],
	['RTE-048', 'body', '$.o', 'equals', '{"b":1}', true],
	['RTE-048', 'body', '$.one', 'equals', '["a"]', true],
	['RTE-049', 'body', '$.commits[*].id', 'not_equals', 'a', false],
	['RTE-049', 'body', '$.commits[*].id', 'not_equals', 'c', true],
	['RTE-049', 'body', '$.missing', 'not_equals', 'a', true],
] as const) {
	test(`[${ids}] ${source} ${field ?? ''} ${operator} ${value} ${matches ? 'matches' : 'does not match'}`, (t) => {
		const rule = ruleOf({
			condition_source: source,
			condition_field: field,
			condition_operator: operator,
			condition_value: value,
		});
		const {chosen, rules} = choose('first_match', [rule]);
		t.is(chosen.length === 1, matches);
		t.is(rules[0]?.matched, matches);
		t.not(rules[0]?.reason, '');
	});
}

const never = {condition_source: 'method', condition_operator: 'equals', condition_value: 'NEVER'} as const;
const rules = [
	ruleOf({id: 'second', sort_order: 2}),
	ruleOf({id: 'never', sort_order: 0, ...never}),
	ruleOf({id: 'first', sort_order: 1}),
	ruleOf({id: 'off', sort_order: -1, is_active: false}),
];

test('[RTE-019] single goes to the primary destination, whatever rules exist', (t) => {
	t.deepEqual(chosenIds('single', rules), [null]);
	t.deepEqual(choose('single', rules).rules, []);
});

test('[RTE-020][RTE-023] first_match goes by the first matching rule in order, and judges none after it', (t) => {
	t.deepEqual(chosenIds('first_match', rules), ['first']);
	t.deepEqual(
		choose('first_match', rules).rules.map(({rule_id, matched}) => [rule_id, matched]),
		[
			['never', false],
			['first', true],
		],
	);
});

test('[RTE-021] all_match goes by every matching rule, in order', (t) => {
	t.deepEqual(chosenIds('all_match', rules), ['first', 'second']);
});

test('[RTE-022][RTE-024] broadcast goes by every active rule regardless of conditions', (t) => {
	t.deepEqual(chosenIds('broadcast', rules), ['never', 'first', 'second']);
});

test('[RTE-045] a rule without a condition always matches', (t) => {
	t.deepEqual(chosenIds('all_match', [ruleOf()]), ['r1']);
});

test('where no rule matches, nothing is chosen, and each rule says why', (t) => {
	const {chosen, rules: judged} = choose('all_match', [ruleOf(never)]);
	t.deepEqual(chosen, []);
	t.deepEqual(
		judged.map(({reason}) => reason),
		['"POST" does not equal "NEVER"'],
	);
});

test('a variable that is missing where a rule looks fails the choice, and the rule names it', (t) => {
	const header = {condition_source: 'header', condition_field: 'x-token', condition_operator: 'equals'} as const;
	const markers = markersOf();
	const message = messageOf('{}', {headers: [['x-token', markers.mark('{{env.GONE}}')]]});
	const rule = ruleOf({...header, condition_value: 'a'});
	const {chosen, rules: judged, failed} = choose('all_match', [rule], [message, markers]);
	t.true(failed);
	t.deepEqual(chosen, []);
	t.regex(judged[0]?.reason ?? '', /GONE/);
});

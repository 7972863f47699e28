import {buildVariable} from '@signalbox/core/testing';
import test from 'ava';
import fc from 'fast-check';
import {chooseVariable, isInScope} from '../../src/environment/rules/choose-variable.ts';
import {variableProblems} from '../../src/environment/rules/variable-fields.ts';
import {bindingOf, type SealedPlace} from '../../src/values/binding.ts';

const matrix = [
	{id: 'ENV-027', scope: 'all', use: 'webhook', resolves: true},
	{id: 'ENV-028', scope: 'all', use: 'cron', resolves: true},
	{id: 'ENV-029', scope: 'all', use: 'mcp', resolves: true},
	{id: 'ENV-030', scope: 'webhook', use: 'webhook', resolves: true},
	{id: 'ENV-031', scope: 'webhook', use: 'cron', resolves: false},
	{id: 'ENV-032', scope: 'webhook', use: 'mcp', resolves: false},
	{id: 'ENV-033', scope: 'cron', use: 'webhook', resolves: false},
	{id: 'ENV-034', scope: 'cron', use: 'cron', resolves: true},
	{id: 'ENV-035', scope: 'cron', use: 'mcp', resolves: false},
	{id: 'ENV-036', scope: 'mcp', use: 'webhook', resolves: false},
	{id: 'ENV-037', scope: 'mcp', use: 'cron', resolves: false},
	{id: 'ENV-038', scope: 'mcp', use: 'mcp', resolves: true},
] as const;

for (const {id, scope, use, resolves} of matrix) {
	test(`[${id}] scope ${scope} ${resolves ? 'is there' : 'is not there'} for ${use}`, (t) => {
		t.is(isInScope(scope, use), resolves);
		const variable = buildVariable({user_id: 'u', key: 'A', scope});
		const choice = chooseVariable([variable], 'A', use);
		t.deepEqual(choice, resolves ? {ok: true, variable} : {ok: false, because: 'out_of_scope'});
	});
}

test('the first of a key is meant, also where its scope forbids the use', (t) => {
	const own = buildVariable({user_id: 'u', key: 'A', scope: 'cron'});
	const teams = buildVariable({user_id: 'u', key: 'A', team_id: 't'});
	t.deepEqual(chooseVariable([own, teams], 'A', 'cron'), {ok: true, variable: own});
	t.deepEqual(chooseVariable([own, teams], 'A', 'mcp'), {ok: false, because: 'out_of_scope'});
	t.deepEqual(chooseVariable([own, teams], 'B', 'mcp'), {ok: false, because: 'missing'});
});

const kibibytes64 = 64 * 1024;
const fields = [
	{id: 'ENV-040', field: {key: 'A'}},
	{id: 'ENV-040', field: {key: '_a_1'}},
	{id: 'ENV-040', field: {key: '1A'}, at: 'key'},
	{id: 'ENV-040', field: {key: 'A-B'}, at: 'key'},
	{id: 'ENV-040', field: {key: 'A.B'}, at: 'key'},
	{id: 'ENV-040', field: {key: 'A\n'}, at: 'key'},
	{id: 'ENV-040', field: {key: ''}, at: 'key'},
	{id: 'ENV-041', field: {key: 'A'.repeat(128)}},
	{id: 'ENV-041', field: {key: 'A'.repeat(129)}, at: 'key'},
	{id: 'ENV-042', field: {value: 'x'.repeat(kibibytes64)}},
	{id: 'ENV-042', field: {value: `${'x'.repeat(kibibytes64)}x`}, at: 'value'},
	{id: 'ENV-042', field: {value: 'ä'.repeat(kibibytes64 / 2 + 1)}, at: 'value'},
	{id: 'ENV-021', field: {scope: 'cron'}},
	{id: 'ENV-021', field: {scope: 'everything'}, at: 'scope'},
];

for (const [index, {id, field, at}] of fields.entries()) {
	const [name = '', text = ''] = Object.entries(field)[0] ?? [];
	test(`[${id}] a ${name} of ${text.length} characters is ${at ? 'refused' : 'taken'} (case ${index + 1})`, (t) => {
		t.deepEqual(
			variableProblems(field).map(({path}) => path),
			at === undefined ? [] : [at],
		);
	});
}

test('every field at fault is named', (t) => {
	const problems = variableProblems({key: '-', value: '\ud800', scope: 'x', description: 'd'.repeat(1001)});
	t.deepEqual(
		problems.map(({path}) => path),
		['key', 'value', 'scope', 'description'],
	);
});

test('two places have one binding only if they are the same place', (t) => {
	const place: fc.Arbitrary<SealedPlace> = fc.record({
		table: fc.constantFrom('environment_variables' as const, 'mcp_servers' as const),
		id: fc.string(),
		key: fc.string(),
		user_id: fc.string(),
		team_id: fc.option(fc.string(), {nil: undefined}),
	});
	const same = (a: SealedPlace, b: SealedPlace) =>
		(['table', 'id', 'key', 'user_id', 'team_id'] as const).every((part) => a[part] === b[part]);
	fc.assert(fc.property(place, place, (a, b) => (bindingOf(a) === bindingOf(b)) === same(a, b)));
	t.pass();
});

import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import test from 'ava';
import type {ApprovalConfig} from '../../src/mcp/model/approval-config.ts';
import {decideToolCall} from '../../src/mcp/rules/decide-tool-call.ts';
import {type Action, type Decide, disagreement, irregularNames} from './decision-cases.ts';

const configOf = (fields: Partial<ApprovalConfig>): ApprovalConfig => ({
	enabled: true,
	default_action: 'require',
	trust_level: 'strict',
	ttl_seconds: 300,
	rules: [],
	...fields,
});

const decide = (fields: Partial<ApprovalConfig>, name: string) => decideToolCall(configOf(fields), name).action;

const actions = ['allow', 'require'] as const;
const trustLevels = ['strict', 'moderate', 'autonomous'] as const;

type Cell = Readonly<{
	ids: string;
	trust_level: ApprovalConfig['trust_level'];
	tools: readonly string[];
	expected: Action | 'default';
}>;

/** The table of the specification, with what the decisions add for names of no category. */
const trustTable: readonly Cell[] = [
	{
		ids: '[APR-012]',
		trust_level: 'strict',
		tools: ['list_users', 'get_user', 'get_'],
		expected: 'default',
	},
	{ids: '[APR-013]', trust_level: 'strict', tools: ['create_user', 'send_mail', 'update_user'], expected: 'default'},
	{ids: '[APR-014]', trust_level: 'strict', tools: ['delete_user', 'delete_'], expected: 'default'},
	{
		ids: '[APR-021]',
		trust_level: 'strict',
		tools: ['search', 'forget_user', 'Get_user', 'get-user'],
		expected: 'default',
	},
	{
		ids: '[APR-015 APR-027 APR-028]',
		trust_level: 'moderate',
		tools: ['list_users', 'list_', 'get_user'],
		expected: 'allow',
	},
	{ids: '[APR-016]', trust_level: 'moderate', tools: ['create_user', 'send_mail', 'update_user'], expected: 'require'},
	{ids: '[APR-017]', trust_level: 'moderate', tools: ['delete_user'], expected: 'require'},
	{
		ids: '[APR-022]',
		trust_level: 'moderate',
		tools: ['search', 'listusers', 'LIST_users', 'x.get_y'],
		expected: 'require',
	},
	{ids: '[APR-018]', trust_level: 'autonomous', tools: ['list_users', 'get_user'], expected: 'allow'},
	{
		ids: '[APR-019]',
		trust_level: 'autonomous',
		tools: ['create_user', 'send_mail', 'update_user', 'search'],
		expected: 'allow',
	},
	{ids: '[APR-020]', trust_level: 'autonomous', tools: ['delete_user'], expected: 'allow'},
];

for (const {ids, trust_level, tools, expected} of trustTable) {
	test(`${ids} ${trust_level}: ${tools.join(', ')}: ${expected}`, (t) => {
		for (const default_action of actions) {
			for (const name of tools) {
				t.is(decide({trust_level, default_action}, name), expected === 'default' ? default_action : expected, name);
			}
		}
	});
}

test('[APR-029 APR-030 APR-031] create_*, send_* and update_* are write tools', (t) => {
	for (const name of ['create_x', 'send_x', 'update_x']) {
		const verdict = decideToolCall(configOf({trust_level: 'moderate'}), name);
		t.deepEqual(verdict.because, {by: 'trust_level', trust_level: 'moderate', category: 'write'});
	}
});

test('[APR-032] delete_* tools are destructive', (t) => {
	const verdict = decideToolCall(configOf({trust_level: 'moderate'}), 'delete_x');
	t.deepEqual(verdict.because, {by: 'trust_level', trust_level: 'moderate', category: 'destructive'});
});

test('[APR-001] the first rule that matches decides, later ones are ignored', (t) => {
	const rules = [
		{pattern: 'other', action: 'require'},
		{pattern: 'get_*', action: 'allow'},
		{pattern: 'get_secret', action: 'require'},
	] as const;
	const verdict = decideToolCall(configOf({rules: [...rules]}), 'get_secret');
	t.deepEqual(verdict, {action: 'allow', because: {by: 'rule', index: 1, pattern: 'get_*'}});
	t.is(decide({rules: rules.toReversed()}, 'get_secret'), 'require');
});

test('[APR-002 APR-003 APR-024] an explicit rule decides under every trust level and default action', (t) => {
	for (const trust_level of trustLevels) {
		for (const default_action of actions) {
			for (const name of ['list_users', 'create_user', 'delete_user', 'search']) {
				for (const action of actions) {
					t.is(decide({trust_level, default_action, rules: [{pattern: name, action}]}, name), action);
				}
			}
		}
	}
});

test('[APR-023] an explicit require rule holds a call under autonomous', (t) => {
	t.is(decide({trust_level: 'autonomous', rules: [{pattern: '*_user', action: 'require'}]}, 'list_user'), 'require');
});

test('[APR-033 APR-034] only while enabled is anything held, whatever rules and trust level say', (t) => {
	for (const trust_level of trustLevels) {
		for (const default_action of actions) {
			const config = {trust_level, default_action, rules: [{pattern: 'delete_*', action: 'require'} as const]};
			for (const name of ['list_users', 'delete_user', 'search', ...irregularNames]) {
				t.is(decide({...config, enabled: false}, name), 'allow');
			}
			t.is(decide({...config, enabled: true}, 'delete_user'), 'require');
		}
	}
});

test('[APR-035] an irregular name that no rule matches requires approval at every trust level', (t) => {
	for (const trust_level of trustLevels) {
		for (const name of irregularNames) {
			t.is(decide({trust_level, default_action: 'allow'}, name), 'require', name);
			t.is(decide({trust_level, rules: [{pattern: '*', action: 'allow'}]}, name), 'allow', name);
		}
		t.is(decide({trust_level, default_action: 'allow'}, `get_${'a'.repeat(124)}`), 'allow');
	}
});

test('[APR-001 APR-021 APR-022] the rule agrees with the reference model in 10,000 random cases', (t) => {
	t.is(disagreement(decideToolCall, 10_000), undefined);
});

/** What one slip of the pen would make of the rule. */
const mutants = [
	{of: 'decide-tool-call', from: 'rules.findIndex(', to: 'rules.findLastIndex(', what: 'the last rule wins'},
	{
		of: 'decide-tool-call',
		from: "category === 'read' ? 'allow'",
		to: "category !== 'destructive' ? 'allow'",
		what: 'writes pass',
	},
	{
		of: 'decide-tool-call',
		from: 'if (!isRegularToolName(toolName))',
		to: 'if (false)',
		what: 'odd names are as any other',
	},
	{of: 'decide-tool-call', from: 'if (!config.enabled)', to: 'if (false)', what: 'enabled is ignored'},
	{of: 'categorize-tool', from: "['list_', 'get_']", to: "['list', 'get']", what: 'a category by its bare word'},
	{of: 'categorize-tool', from: 'startsWith(prefix)', to: 'includes(prefix)', what: 'a category anywhere in the name'},
] as const;

const rules = new URL('../../src/mcp/rules/', import.meta.url);

/** The rule as that slip leaves it, written to `folder` and imported from there. */
const importMutant = async (folder: string, {of, from, to}: (typeof mutants)[number]): Promise<Decide> => {
	for (const name of ['decide-tool-call', 'categorize-tool']) {
		const source = await readFile(new URL(`${name}.ts`, rules), 'utf8');
		if (name === of && source.split(from).length !== 2) throw new Error(`the rule does not hold ${from} once`);
		const mutated = name === of ? source.replace(from, to) : source;
		const linked = mutated.replaceAll(/'(\.\.\/[^']+)'/g, (_, path: string) => `'${new URL(path, rules).href}'`);
		await writeFile(join(folder, `${name}.ts`), linked);
	}
	return (await import(pathToFileURL(join(folder, 'decide-tool-call.ts')).href)).decideToolCall;
};

for (const mutant of mutants) {
	test(`the reference model finds a mutant of the rule: ${mutant.what}`, async (t) => {
		const folder = await mkdtemp(join(tmpdir(), 'signalbox-mutant-'));
		t.teardown(() => rm(folder, {recursive: true}));
		t.is(typeof disagreement(await importMutant(folder, mutant), 10_000), 'string');
	});
}

import fc from 'fast-check';
import {type ReferenceConfig, referenceDecision} from './reference-decision.ts';

export type Action = 'allow' | 'require';
/** Names that no tool should have: other characters, none at all, or too many. */
export const irregularNames: readonly string[] = [
	'get_user; rm -rf',
	'list_ü',
	'get_a/b',
	'',
	'get_\n',
	`get_${'a'.repeat(125)}`,
];

const letter = fc.constantFrom(...'abgetls_-.');
const words = fc.constantFrom(
	'get_',
	'list_',
	'create_',
	'send_',
	'update_',
	'delete_',
	'get',
	'list',
	'forget_',
	'Get_',
	'',
);

/** A tool name that is often of a category, and now and then irregular. */
export const toolName: fc.Arbitrary<string> = fc.oneof(
	{weight: 8, arbitrary: fc.tuple(words, fc.string({unit: letter, maxLength: 6})).map((parts) => parts.join(''))},
	{weight: 1, arbitrary: fc.constantFrom(...irregularNames)},
);

const piece = fc.oneof(
	{weight: 3, arbitrary: words},
	{weight: 2, arbitrary: letter},
	{
		weight: 3,
		arbitrary: fc.constantFrom('*', '?', '[a-g]', '[!t]', '{get,list}_', '{a,b*,}', '{delete_,{send,update}_?}*'),
	},
);

const pattern = fc
	.array(piece, {minLength: 1, maxLength: 4})
	.map((pieces) => pieces.join(''))
	.filter((text) => text !== '');

const action = fc.constantFrom<Action>('allow', 'require');

export const decisionConfig: fc.Arbitrary<ReferenceConfig & {ttl_seconds: number}> = fc.record({
	enabled: fc.oneof({weight: 9, arbitrary: fc.constant(true)}, {weight: 1, arbitrary: fc.constant(false)}),
	default_action: action,
	trust_level: fc.constantFrom('strict', 'moderate', 'autonomous'),
	ttl_seconds: fc.constant(300),
	rules: fc.array(fc.record({pattern, action}), {maxLength: 4}),
});

/** A rule under test, and what it is asked. */
export type Decide = (config: ReferenceConfig & {ttl_seconds: number}, name: string) => Readonly<{action: Action}>;

/** The first of `runs` random cases in which the rule and the reference disagree. */
export const disagreement = (decide: Decide, runs: number): string | undefined => {
	const result = fc.check(
		fc.property(
			decisionConfig,
			toolName,
			(config, name) => decide(config, name).action === referenceDecision(config, name),
		),
		{numRuns: runs, seed: 20_260_131},
	);
	return result.failed ? JSON.stringify(result.counterexample) : undefined;
};

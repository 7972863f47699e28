import {compileGlob} from '../../values/glob.ts';
import type {ApprovalConfig, RuleAction, TrustLevel} from '../model/approval-config.ts';
import {categorizeTool, isRegularToolName, type ToolCategory} from './categorize-tool.ts';

/** What decided: nothing to decide, the rule at that index, the odd name, or the trust level. */
export type VerdictReason =
	| Readonly<{by: 'approvals_off'}>
	| Readonly<{by: 'rule'; index: number; pattern: string}>
	| Readonly<{by: 'irregular_name'}>
	| Readonly<{by: 'trust_level'; trust_level: TrustLevel; category: ToolCategory}>;

export type ToolCallVerdict = Readonly<{action: RuleAction; because: VerdictReason}>;

/** A configuration made ready to decide many calls. */
export type ApprovalPolicy = (toolName: string) => ToolCallVerdict;

/**
 * The decision procedure (specification, "Decision procedure for a tool call"): the first rule that matches decides, then
 * the trust level. Compile once per version of a server.
 * @throws SyntaxError when a pattern is malformed: no stored configuration holds one.
 */
export const compileApprovalPolicy = (config: ApprovalConfig): ApprovalPolicy => {
	if (!config.enabled) return () => ({action: 'allow', because: {by: 'approvals_off'}});
	const rules = config.rules.map((rule) => ({...rule, glob: compileGlob(rule.pattern)}));
	return remembering((toolName) => {
		const index = rules.findIndex((rule) => rule.glob.matches(toolName));
		const rule = rules[index];
		if (rule) return {action: rule.action, because: {by: 'rule', index, pattern: rule.pattern}};
		if (!isRegularToolName(toolName)) return {action: 'require', because: {by: 'irregular_name'}};
		return byTrust(config, categorizeTool(toolName));
	});
};

/** Tools of one server that are in use at the same time. */
const mostRemembered = 64;

/** Servers have few tools, which are called over and over. Other names are decided anew: a caller may make up any number. */
const remembering = (policy: ApprovalPolicy): ApprovalPolicy => {
	const verdicts = new Map<string, ToolCallVerdict>();
	return (toolName) => {
		const known = verdicts.get(toolName);
		if (known !== undefined) return known;
		const verdict = policy(toolName);
		if (verdicts.size < mostRemembered && isRegularToolName(toolName)) verdicts.set(toolName, verdict);
		return verdict;
	};
};

/** Decides one call; for many under one configuration, compile it. */
export const decideToolCall = (config: ApprovalConfig, toolName: string): ToolCallVerdict =>
	compileApprovalPolicy(config)(toolName);

const byTrust = (config: ApprovalConfig, category: ToolCategory): ToolCallVerdict => {
	const because = {by: 'trust_level', trust_level: config.trust_level, category} as const;
	switch (config.trust_level) {
		case 'strict':
			return {action: config.default_action, because};
		case 'moderate':
			return {action: category === 'read' ? 'allow' : 'require', because};
		case 'autonomous':
			return {action: 'allow', because};
	}
};

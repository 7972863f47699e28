import {z} from 'zod';
import {globProblem} from '../../values/glob.ts';

export const ruleActionSchema = z.enum(['require', 'allow']);
export type RuleAction = z.infer<typeof ruleActionSchema>;

export const trustLevelSchema = z.enum(['strict', 'moderate', 'autonomous']);
export type TrustLevel = z.infer<typeof trustLevelSchema>;

export const toolRuleSchema = z.strictObject({
	/** A glob over the whole tool name (values/glob). */
	pattern: z
		.string()
		.min(1)
		.max(256)
		.superRefine((pattern, context) => {
			const problem = globProblem(pattern);
			if (problem !== undefined) context.addIssue({code: 'custom', message: `is not a glob: ${problem}`});
		}),
	action: ruleActionSchema,
});
export const approvalConfigSchema = z.strictObject({
	enabled: z.boolean(),
	default_action: ruleActionSchema,
	trust_level: trustLevelSchema,
	ttl_seconds: z.int().min(1).max(86_400),
	rules: z.array(toolRuleSchema).max(200),
});
/** When a tool call waits for a person (specification, "approval_config"). */
export type ApprovalConfig = z.infer<typeof approvalConfigSchema>;

export const defaultApprovalConfig: ApprovalConfig = {
	enabled: false,
	default_action: 'require',
	trust_level: 'strict',
	ttl_seconds: 300,
	rules: [],
};

import {z} from 'zod';
import {nameText} from '../../values/text.ts';

export const agentChangeSchema = z.strictObject({
	name: nameText.optional(),
	/** True takes it from the agent that was the default. */
	is_default: z.boolean().optional(),
});
/** What a request may change of an agent. */
export type AgentChange = z.infer<typeof agentChangeSchema>;

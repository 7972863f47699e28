import {z} from 'zod';
import {nameText, printableText} from '../../values/text.ts';

export const agentChangeSchema = z.strictObject({
	name: printableText(nameText).optional(),
	/** True takes it from the agent that was the default. */
	is_default: z.boolean().optional(),
});
/** What a request may change of an agent. */
export type AgentChange = z.infer<typeof agentChangeSchema>;

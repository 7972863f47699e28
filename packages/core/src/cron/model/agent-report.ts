import {z} from 'zod';
import {nameText, printableText} from '../../values/text.ts';

const hostText = printableText(z.string().max(255));

export const agentRegistrationSchema = z.strictObject({
	/** Of its first registration; left out, or unknown by now: a new agent. */
	agent_id: z.string().max(64).optional(),
	name: printableText(nameText),
	hostname: hostText,
	os: hostText,
	arch: hostText,
	version: hostText,
	/** Commands that it runs at once, at most. */
	capacity: z.int().min(1).max(1000),
});
/** What an agent says of itself when it begins. */
export type AgentRegistration = z.infer<typeof agentRegistrationSchema>;

const agentOutcomeSchema = z.enum(['exited', 'signaled', 'timed_out', 'canceled', 'spawn_error', 'agent_restarted']);

export const agentReportSchema = z.strictObject({
	outcome: agentOutcomeSchema,
	/** Null: it did not exit by itself. */
	exit_code: z.int32().nullable(),
	/** Its name, such as `SIGKILL`; empty: none. */
	signal: z.string().max(64),
	/** In words; empty: nothing to add. */
	error: z.string().max(64 * 1024),
	duration_ms: z.int().min(0),
	/** True when it left output out. */
	truncated: z.boolean(),
});
/** What an agent says of a command that ended, or could not begin. */
export type AgentReport = z.infer<typeof agentReportSchema>;

/** A command as an agent runs it: every variable is resolved. */
export type ExecutionSpec = Readonly<{
	execution_id: string;
	job_id: string;
	job_name: string;
	attempt: number;
	lease_token: string;
	command: string;
	working_dir: string;
	environment: Readonly<Record<string, string>>;
	timeout_ms: number;
	/** Between TERM and KILL. */
	kill_grace_ms: number;
	scheduled_for: string;
	triggered_by: string;
	/** What must not appear in output: the values of its variables. */
	mask: readonly string[];
}>;

import {z} from 'zod';
import {instantText, recordId} from '../../values/text.ts';

export const approvalStatusSchema = z.enum(['pending', 'approved', 'rejected', 'expired']);
export type ApprovalStatus = z.infer<typeof approvalStatusSchema>;

/** Handed through as it is: z.record would drop a key `__proto__`, and a person would approve what they do not see. */
const toolArguments = z.unknown().meta({type: 'object', additionalProperties: {}}) as z.ZodType<
	Record<string, unknown>
>;

export const approvalSchema = z.object({
	id: recordId,
	mcp_server_id: recordId,
	user_id: recordId,
	tool_name: z.string(),
	request_body: toolArguments,
	/** The arguments as they were sent, where `request_body` cannot say them: it holds numbers that a double cannot. Else null. */
	arguments_json: z.string().nullable(),
	status: approvalStatusSchema,
	decided_by: recordId.nullable(),
	decision_note: z.string().nullable(),
	decided_at: instantText.nullable(),
	expires_at: instantText,
	created_at: instantText,
	/** False once the caller went away: nobody waits for the result now. */
	caller_waiting: z.boolean(),
});
/** A tool call that waits, or waited, for a person. */
export type Approval = z.infer<typeof approvalSchema>;

export type ApprovalRecord = Approval &
	Readonly<{
		team_id: string;
		/** The API key that made the call: it can never decide it. */
		api_key_id: string | null;
		/** Who called, for re-attaching: `user:<id>`, `key:<id>` or `anonymous`. */
		caller_key: string;
		/** Digest of the raw argument bytes' digest and of where the call goes (rules/call-binding): what the approval binds to. */
		arguments_digest: string;
		/** When the caller, which is between two rounds, counts as gone unless it comes back; null while it waits, and once it is gone. */
		detaches_at: string | null;
		/** Set by the one execution that the approval allows. */
		consumed_at: string | null;
		/** How often it let a request through: its execution, and each continuation of it that the upstream asked for. */
		runs: number;
	}>;

/** What a person says to a pending approval. */
export type Decision = Readonly<{status: 'approved' | 'rejected'; decided_by: string; decision_note: string | null}>;

/** The request with the number `run`, from 1 on, of an execution that began less than `within_seconds` ago. */
export type Continuation = Readonly<{run: number; within_seconds: number}>;

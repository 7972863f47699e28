import type {ApprovalRecord} from '@signalbox/core';
import {defineTable, flag, instant, json, nullable, number, text} from '../table.ts';

export type StoredApproval = ApprovalRecord & Readonly<{tool_key: string}>;

export const approvals = defineTable<StoredApproval>('approvals', {
	id: text(),
	mcp_server_id: text(),
	team_id: text(),
	user_id: text(),
	api_key_id: nullable(text()),
	caller_key: text(),
	tool_name: text(),
	tool_key: text(),
	request_body: json(),
	arguments_json: nullable(text()),
	arguments_digest: text(),
	status: text(),
	decided_by: nullable(text()),
	decision_note: nullable(text()),
	decided_at: nullable(instant),
	expires_at: instant,
	created_at: instant,
	caller_waiting: flag,
	detaches_at: nullable(instant),
	consumed_at: nullable(instant),
	runs: number,
});

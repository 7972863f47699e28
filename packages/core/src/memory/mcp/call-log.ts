import {DomainError} from '../../errors.ts';
import type {McpCallEntry} from '../../mcp/model/call.ts';
import type {CallLog} from '../../ports/index.ts';
import {decodeText} from '../../values/bytes-text.ts';
import type {CallRow, MemoryDatabase} from '../database.ts';
import {copyOf} from '../rows.ts';

const rowOf = ({request_body, response_body, ...entry}: McpCallEntry): CallRow => ({
	...copyOf(entry),
	request_body: decodeText(request_body),
	response_body: decodeText(response_body),
});

export const createCallLog = (db: MemoryDatabase): CallLog => ({
	append: async (entry) => {
		if (!db.mcpServers.has(entry.mcp_server_id)) return;
		if (db.calls.has(entry.id)) throw new DomainError('resource_exists');
		db.calls.set(entry.id, rowOf(entry));
		if (entry.id === entry.approval_id) db.attendance.delete(entry.id);
	},
});

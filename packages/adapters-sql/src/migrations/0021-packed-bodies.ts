import type {Migration} from './definition.ts';

const length = {type: 'integer?', initially: null} as const;

/** Where a body is compressed, how long the frame is that it begins with. Those of before stay as they are. */
export const packedBodies: Migration = {
	name: '0021-packed-bodies',
	columns: [
		{table: 'mcp_calls', column: 'request_body_head', ...length},
		{table: 'mcp_calls', column: 'response_body_head', ...length},
		{table: 'webhook_event_contents', column: 'body_head', ...length},
	],
};

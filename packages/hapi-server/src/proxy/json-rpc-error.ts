/** Identifier of a JSON-RPC request; null where none could be read. */
export type RequestId = string | number | null;

/** Codes of JSON-RPC 2.0 and MCP for what they name; everything else that we say has the number of its HTTP status. */
export const protocolCodes = {
	parse_error: -32700,
	invalid_request: -32600,
	method_not_found: -32601,
	invalid_params: -32602,
	header_mismatch: -32020,
} as const;

/** An answer that we give in place of the upstream: its HTTP status, and the JSON-RPC error that is its body. */
export type Refusal = Readonly<{
	status: number;
	code: number;
	message: string;
	retry_after_seconds?: number;
	/** Which methods the path takes, for 405. */
	allow?: string;
}>;

/** A refusal whose JSON-RPC code mirrors its HTTP status: outside the range that the protocol reserves. */
export const refusal = (status: number, message: string): Refusal => ({status, code: status, message});

export const jsonRpcError = (id: RequestId, error: Readonly<{code: number; message: string}>): Buffer =>
	Buffer.from(JSON.stringify({jsonrpc: '2.0', id, error: {code: error.code, message: error.message}}));

type JsonObject = Readonly<Record<string, unknown>>;

export type McpRequest = Readonly<{
	kind: 'request';
	id: string | number;
	method: string;
	params: JsonObject | undefined;
}>;

/** One JSON-RPC message of a client. */
export type Message =
	| McpRequest
	| Readonly<{kind: 'notification'; method: string; params: JsonObject | undefined}>
	/** An answer to a request of the upstream. */
	| Readonly<{kind: 'response'}>;

export const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is string | number =>
	typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));

const readCall = (value: JsonObject): Message | undefined => {
	const {method, params, id} = value;
	// A message that is a call and an answer at once would be judged as one and might be read as the other.
	if (typeof method !== 'string' || 'result' in value || 'error' in value) return undefined;
	if (params !== undefined && !isObject(params)) return undefined;
	if (!('id' in value)) return {kind: 'notification', method, params};
	return isId(id) ? {kind: 'request', id, method, params} : undefined;
};

/** Reads a JSON-RPC 2.0 message as MCP allows it. Undefined when it is none. */
export const readMessage = (value: unknown): Message | undefined => {
	if (!isObject(value) || value.jsonrpc !== '2.0') return undefined;
	if ('method' in value) return readCall(value);
	return 'result' in value || 'error' in value ? {kind: 'response'} : undefined;
};

/** The id to answer under, when the text was an object with one although it is no message that we take. */
export const idOf = (value: unknown): string | number | null => (isObject(value) && isId(value.id) ? value.id : null);

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The name of the tool that a `tools/call` names; undefined for other methods and for a name that is no text. */
export const toolNameOf = (message: Message): string | undefined =>
	message.kind !== 'response' && message.method === 'tools/call' ? text(message.params?.name) : undefined;

const metaOf = (request: McpRequest): JsonObject => (isObject(request.params?._meta) ? request.params._meta : {});

export const progressTokenOf = (request: McpRequest): string | number | undefined => {
	const {progressToken} = metaOf(request);
	return isId(progressToken) ? progressToken : undefined;
};

/** Each request of the stateless era (from revision 2026-07-28 on) names its revision; those of the session era do not. */
export const isStateless = (message: Message): boolean =>
	message.kind === 'request' &&
	(text(metaOf(message)['io.modelcontextprotocol/protocolVersion']) ?? '') >= '2026-07-28';

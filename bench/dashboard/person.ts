const password = 'correct horse battery';

const post = async <T>(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<T> => {
	const response = await fetch(url, {
		method: 'POST',
		headers: {'content-type': 'application/json', accept: 'application/json', ...headers},
		body: JSON.stringify(body),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
	return JSON.parse(text) as T;
};

/** Somebody with one MCP server, whose tools can be called. */
export const makePerson = async (baseUrl: string, target_url: string) => {
	const email = 'bench@example.com';
	const {access_token} = await post<{access_token: string}>(`${baseUrl}/v1/auth/register`, {email, password});
	const authorization = {authorization: `Bearer ${access_token}`};
	const {slug} = await post<{slug: string}>(`${baseUrl}/v1/mcp/servers`, {name: 'Bench', target_url}, authorization);
	let next = 0;
	return {
		email,
		password,
		callTool: async (): Promise<void> => {
			next += 1;
			const params = {name: `get_item_${next % 7}`, arguments: {id: next}};
			await post(`${baseUrl}/p/${slug}`, {jsonrpc: '2.0', id: next, method: 'tools/call', params});
		},
	};
};

export type ClientConfiguration = Readonly<{
	client: string;
	/** What to do with the text. */
	how: string;
	text: string;
}>;

/** A server as its clients have to know it. */
export type Connection = Readonly<{name: string; url: string; requiresKey: boolean}>;

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** Clients use it as a key and in commands. */
const shortName = (name: string): string =>
	name
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, '-')
		.replaceAll(/^-+|-+$/g, '') || 'signalbox';

const placeholder = '<your API key>';

const claudeCode = (key: string, {url, requiresKey}: Connection): string =>
	`claude mcp add --transport http ${key} ${url}${requiresKey ? ` --header "X-API-Key: ${placeholder}"` : ''}`;

/** Its file knows programs only: mcp-remote is one that speaks HTTP for it. */
const claudeDesktop = (key: string, {url, requiresKey}: Connection): string => {
	const args = ['-y', 'mcp-remote', url];
	const server = requiresKey
		? {args: [...args, '--header', 'X-API-Key:$' + '{SIGNALBOX_KEY}'], env: {SIGNALBOX_KEY: placeholder}}
		: {args};
	return json({mcpServers: {[key]: {command: 'npx', ...server}}});
};

/** How the usual MCP clients are told of a server behind the proxy. */
export const clientConfigurations = (connection: Connection): readonly ClientConfiguration[] => {
	const {name, url, requiresKey} = connection;
	const key = shortName(name);
	const headers = requiresKey ? {headers: {'X-API-Key': placeholder}} : {};
	return [
		{client: 'Claude Code', how: 'Run it in your project.', text: claudeCode(key, connection)},
		{
			client: 'Claude Desktop',
			how: 'Add it to claude_desktop_config.json, and start Claude Desktop again.',
			text: claudeDesktop(key, connection),
		},
		{
			client: 'Cursor',
			how: 'Add it to .cursor/mcp.json in your project, or to ~/.cursor/mcp.json.',
			text: json({mcpServers: {[key]: {url, ...headers}}}),
		},
		{
			client: 'VS Code',
			how: 'Add it to .vscode/mcp.json in your project.',
			text: json({servers: {[key]: {type: 'http', url, ...headers}}}),
		},
		{
			client: 'Any other',
			how: requiresKey ? 'Streamable HTTP, with your API key in the header X-API-Key.' : 'Streamable HTTP.',
			text: url,
		},
	];
};

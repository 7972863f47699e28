/** What a tool does, as its name says. `unknown` is a name in none of the categories. */
export type ToolCategory = 'read' | 'write' | 'destructive' | 'unknown';

const prefixes: Readonly<Record<Exclude<ToolCategory, 'unknown'>, readonly string[]>> = {
	read: ['list_', 'get_'],
	write: ['create_', 'send_', 'update_'],
	destructive: ['delete_'],
};

/** Case-sensitive, by the beginning of the name (specification, "Decision procedure"). */
export const categorizeTool = (toolName: string): ToolCategory => {
	const begins = (category: keyof typeof prefixes) => prefixes[category].some((prefix) => toolName.startsWith(prefix));
	if (begins('read')) return 'read';
	if (begins('write')) return 'write';
	return begins('destructive') ? 'destructive' : 'unknown';
};

/** True for the names that tools have: up to 128 letters, digits, `_`, `.` and `-`. Nothing is known about any other. */
export const isRegularToolName = (toolName: string): boolean => /^[A-Za-z0-9_.-]{1,128}$/.test(toolName);

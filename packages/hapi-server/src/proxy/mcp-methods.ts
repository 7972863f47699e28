/**
 * Every method that a client may send in the four revisions of streamable HTTP: 2025-03-26, 2025-06-18, 2025-11-25 and
 * 2026-07-28. While approvals are on nothing else passes: a method nobody knows may run a tool under another name.
 */
const clientMethods: ReadonlySet<string> = new Set([
	'initialize',
	'ping',
	'server/discover',
	'subscriptions/listen',
	'tools/list',
	'tools/call',
	'resources/list',
	'resources/templates/list',
	'resources/read',
	'resources/subscribe',
	'resources/unsubscribe',
	'prompts/list',
	'prompts/get',
	'completion/complete',
	'logging/setLevel',
	'tasks/get',
	'tasks/result',
	'tasks/list',
	'tasks/cancel',
	'tasks/update',
	'notifications/initialized',
	'notifications/cancelled',
	'notifications/progress',
	'notifications/roots/list_changed',
	'notifications/tasks/status',
]);

export const isKnownMethod = (method: string): boolean => clientMethods.has(method);

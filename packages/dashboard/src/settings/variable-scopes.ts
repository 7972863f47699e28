import type {EnvironmentVariable} from '@signalbox/client-sdk';

export const scopeWords: Readonly<Record<EnvironmentVariable['scope'], string>> = {
	all: 'Everything',
	mcp: 'MCP servers',
	webhook: 'Webhooks',
	cron: 'Cron jobs and chains',
};

import {rmSync} from 'node:fs';
import {defineConfig, type Options} from 'tsup';

// Not by `clean`: the builds go side by side.
rmSync(new URL('dist', import.meta.url), {recursive: true, force: true});

const shared = {
	format: ['esm'],
	sourcemap: true,
	target: 'node22',
	removeNodeProtocol: false,
	external: ['sqlite3'],
} satisfies Options;

export default defineConfig([
	{...shared, entry: {index: 'src/index.ts'}, dts: {entry: {index: 'src/index.ts'}}},
	{
		...shared,
		entry: {
			'call-log-service': 'src/mcp/call-log/service.ts',
			'webhook-service': 'src/webhook/service.ts',
			'cron-service': 'src/cron/service.ts',
			'session-worker': 'src/drivers/session-worker.ts',
			'service-worker': 'src/service-worker.ts',
		},
		// A thread takes the few things that it needs of the domain with it: all of it takes 20 MB in each.
		noExternal: ['@signalbox/core'],
		esbuildOptions: (options) => {
			options.conditions = ['@signalbox/source'];
		},
	},
]);

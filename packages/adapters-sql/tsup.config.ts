import {defineConfig} from 'tsup';

export default defineConfig({
	entry: {
		index: 'src/index.ts',
		'call-log-worker': 'src/mcp/call-log/worker.ts',
		'webhook-worker': 'src/webhook/worker.ts',
		'cron-worker': 'src/cron/worker.ts',
		'session-worker': 'src/drivers/session-worker.ts',
	},
	format: ['esm'],
	dts: {entry: {index: 'src/index.ts'}},
	clean: true,
	sourcemap: true,
	target: 'node22',
	removeNodeProtocol: false,
	external: ['sqlite3'],
});

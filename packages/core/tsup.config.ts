import {rmSync} from 'node:fs';
import {defineConfig, type Options} from 'tsup';

// Not by `clean`: the builds go side by side.
rmSync(new URL('dist', import.meta.url), {recursive: true, force: true});

const shared = {
	format: ['esm'],
	sourcemap: true,
	target: 'node22',
	removeNodeProtocol: false,
} satisfies Options;

export default defineConfig([
	{
		...shared,
		entry: {
			index: 'src/index.ts',
			memory: 'src/memory/index.ts',
			node: 'src/node/index.ts',
			testing: 'src/testing/index.ts',
		},
		dts: true,
	},
	// A thread takes the few things that it needs with it.
	{...shared, entry: {'planning-worker': 'src/node/webhook-planner/planning-worker.ts'}},
]);

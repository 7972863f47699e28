import {defineConfig} from 'tsup';

export default defineConfig({
	entry: {
		index: 'src/index.ts',
		memory: 'src/memory/index.ts',
		node: 'src/node/index.ts',
		testing: 'src/testing/index.ts',
	},
	format: ['esm'],
	dts: true,
	clean: true,
	sourcemap: true,
	target: 'node22',
	removeNodeProtocol: false,
});

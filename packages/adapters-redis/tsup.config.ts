import {defineConfig} from 'tsup';

export default defineConfig({
	entry: {index: 'src/index.ts'},
	format: ['esm'],
	dts: true,
	clean: true,
	sourcemap: true,
	target: 'node22',
	removeNodeProtocol: false,
});

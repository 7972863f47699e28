import {defineConfig} from 'tsup';

export default defineConfig({
	entry: {index: 'src/index.ts', main: 'src/main.ts'},
	format: ['esm'],
	dts: {entry: {index: 'src/index.ts'}},
	clean: true,
	sourcemap: true,
	target: 'node22',
	removeNodeProtocol: false,
});

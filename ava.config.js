export default {
	files: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts', 'examples/*/*.test.ts'],
	extensions: ['ts'],
	nodeArguments: ['--conditions=@signalbox/source'],
	timeout: '2m',
};

import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {brotliCompressSync, gzipSync} from 'node:zlib';
import {defineConfig, type Plugin} from 'vite';
import {areas} from './src/areas.ts';

const compressible = /\.(html|js|css|svg|json)$/;

const compressFile = async (path: string): Promise<void> => {
	const text = await readFile(path);
	await Promise.all([
		writeFile(`${path}.gz`, gzipSync(text, {level: 9})),
		writeFile(`${path}.br`, brotliCompressSync(text)),
	]);
};

/** Writes each file compressed beside itself, and which paths are pages, for whoever serves them. */
const forServers = (): Plugin => ({
	name: 'for-servers',
	apply: 'build',
	writeBundle: async ({dir = ''}, bundle) => {
		const pages = areas.flatMap((area) => area.pages.map(({path}) => path));
		await writeFile(join(dir, 'pages.json'), JSON.stringify(pages));
		const names = Object.keys(bundle).filter((name) => compressible.test(name));
		await Promise.all(names.map((name) => compressFile(join(dir, name))));
	},
});

/** The fonts that every page begins with are asked for as early as the script is. */
const preloadFonts = (): Plugin => ({
	name: 'preload-fonts',
	apply: 'build',
	transformIndexHtml: {
		order: 'post',
		handler: (_html, {bundle = {}}) =>
			Object.keys(bundle)
				.filter((name) => /geist(-mono)?-latin-wght-normal.*\.woff2$/.test(name))
				.map((name) => ({
					tag: 'link',
					attrs: {rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: true},
					injectTo: 'head' as const,
				})),
	},
});

export default defineConfig({
	root: import.meta.dirname,
	plugins: [forServers(), preloadFonts()],
	resolve: {conditions: ['@signalbox/source', 'module', 'browser', 'import', 'default']},
	oxc: {jsx: {runtime: 'automatic', importSource: 'preact'}},
	build: {
		target: ['chrome123', 'firefox128', 'safari17.5'],
		// The Content-Security-Policy allows files, nothing inline.
		assetsInlineLimit: 0,
		modulePreload: {polyfill: false},
	},
	server: {proxy: {'/v1': 'http://127.0.0.1:3000'}},
});

/**
 * Writes src/generated from openapi.yaml; with --check it only says whether the folder still is what openapi.yaml says,
 * by its exit code.
 */
import {globSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {createClient} from '@hey-api/openapi-ts';

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const committed = pathOf('../src/generated');

const generate = (folder: string) =>
	createClient({
		input: pathOf('../../../openapi.yaml'),
		output: {path: folder, clean: true, module: {extension: '.ts'}},
		logs: {level: 'warn'},
		plugins: [
			{name: '@hey-api/client-fetch', baseUrl: false, throwOnError: true},
			{name: '@hey-api/typescript'},
			{
				name: '@hey-api/sdk',
				responseStyle: 'data',
				operations: {strategy: 'single', containerName: 'GeneratedApi', methods: 'instance', nesting: 'operationId'},
			},
		],
	});

const filesOf = (folder: string): ReadonlyMap<string, string> =>
	new Map(globSync('**/*.ts', {cwd: folder}).map((path) => [path, readFileSync(join(folder, path), 'utf8')]));

/** Names of generated files that are missing, left over, or different. */
const staleFiles = async (): Promise<readonly string[]> => {
	const folder = mkdtempSync(join(tmpdir(), 'signalbox-sdk-'));
	try {
		await generate(folder);
		const [ours, fresh] = [filesOf(committed), filesOf(folder)];
		return [...new Set([...ours.keys(), ...fresh.keys()])].filter((path) => ours.get(path) !== fresh.get(path)).sort();
	} finally {
		rmSync(folder, {recursive: true, force: true});
	}
};

if (process.argv.includes('--check')) {
	const stale = await staleFiles();
	if (stale.length > 0) console.error(`Not what openapi.yaml says, run npm run generate:\n  ${stale.join('\n  ')}`);
	process.exitCode = stale.length === 0 ? 0 : 1;
} else {
	await generate(committed);
}

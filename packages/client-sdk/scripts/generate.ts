/**
 * Writes src/generated from openapi.yaml; with --check it only says whether the folder still is what openapi.yaml says,
 * by its exit code.
 */
import {globSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {createClient} from '@hey-api/openapi-ts';
import {parse} from 'yaml';
import {type Document, withoutErrors, writeOperations} from './write-operations.ts';

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const committed = pathOf('../src/generated');

const description = pathOf('../../../openapi.yaml');

const generate = async (folder: string): Promise<void> => {
	const document = parse(readFileSync(description, 'utf8')) as Document;
	await createClient({
		input: withoutErrors(document),
		output: {path: folder, clean: true, entryFile: false, module: {extension: '.ts'}},
		logs: {level: 'warn'},
		plugins: ['@hey-api/typescript'],
	});
	writeFileSync(join(folder, 'operations.gen.ts'), writeOperations(document));
};

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

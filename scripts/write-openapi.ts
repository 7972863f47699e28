/** Writes openapi.yaml from the route table; with --check it only says whether the file still matches, by its exit code. */
import {readFile, writeFile} from 'node:fs/promises';
import {openapiYaml} from '@signalbox/hapi-server';

const path = new URL('../openapi.yaml', import.meta.url);
const written = await readFile(path, 'utf8').catch(() => '');
const current = openapiYaml();

if (!process.argv.includes('--check')) {
	await writeFile(path, current);
} else if (written !== current) {
	console.error('openapi.yaml does not match the route table: run npm run openapi');
	process.exitCode = 1;
}

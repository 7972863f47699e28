/**
 * Writes src/generated from proto/agent.proto; with --check it only says whether the folder still is what the proto says,
 * by its exit code. Needs no network: buf and the plugin are installed.
 */
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const {resolve} = createRequire(import.meta.url);
const home = join(import.meta.dirname, '..');
const file = 'agent.ts';
const committed = join(home, 'src/generated');

const options = [
	'outputServices=grpc-js',
	'outputClientImpl=false',
	'esModuleInterop=true',
	'oneof=unions-value',
	'enumsAsLiterals=true',
	'stringEnums=true',
	'importSuffix=.ts',
	'snakeToCamel=false',
	'forceLong=number',
	'useExactTypes=false',
	'outputJsonMethods=false',
	'outputPartialMethods=false',
	'exportCommonSymbols=false',
];

const template = (folder: string): string =>
	JSON.stringify({
		version: 'v2',
		plugins: [{local: [process.execPath, resolve('ts-proto/protoc-gen-ts_proto')], out: folder, opt: options}],
	});

const generate = (folder: string): void => {
	const buf = [resolve('@bufbuild/buf/bin/buf'), 'generate', 'proto', '--template', template(folder)];
	execFileSync(process.execPath, buf, {cwd: home, stdio: 'inherit'});
};

const text = (folder: string): string => readFileSync(join(folder, file), 'utf8');

const isStale = (): boolean => {
	const folder = mkdtempSync(join(tmpdir(), 'signalbox-rpc-'));
	try {
		generate(folder);
		return text(folder) !== text(committed);
	} finally {
		rmSync(folder, {recursive: true, force: true});
	}
};

if (process.argv.includes('--check')) {
	const stale = isStale();
	if (stale) console.error('src/generated is not what proto/agent.proto says: run npm run generate -w packages/rpc');
	process.exitCode = stale ? 1 : 0;
} else {
	generate(committed);
}

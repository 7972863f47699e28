import {readFileSync} from 'node:fs';
import {parseArgs} from 'node:util';

const usage = 'usage: signalbox --version';

const readVersion = (): string =>
	JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version as string;

const readOptions = () => parseArgs({options: {version: {type: 'boolean'}}}).values;

try {
	if (!readOptions().version) throw new Error(usage);
	process.stdout.write(`${readVersion()}\n`);
} catch (error) {
	process.stderr.write(`${(error as Error).message}\n`);
	process.exitCode = 1;
}

/** Builds the packages whose dist is missing or older than what it is made from, in the order in which they need each other. */
import {execFileSync} from 'node:child_process';
import {readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';

const packages = ['core', 'rpc', 'adapters-sql', 'hapi-server'];
const root = join(import.meta.dirname, '..', 'packages');

const filesIn = (directory: string): string[] =>
	readdirSync(directory, {recursive: true, withFileTypes: true})
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));

const timesOf = (paths: readonly string[]): number[] => paths.map((path) => statSync(path).mtimeMs);

const isStale = (name: string): boolean => {
	const home = join(root, name);
	const sources = [...filesIn(join(home, 'src')), join(home, 'package.json'), join(home, 'tsup.config.ts')];
	try {
		return Math.max(...timesOf(sources)) > Math.min(...timesOf(filesIn(join(home, 'dist'))));
	} catch {
		return true;
	}
};

// A package that is built anew makes those after it stale: their declarations were made from its own.
const first = packages.findIndex(isStale);
for (const name of first === -1 ? [] : packages.slice(first)) {
	console.log(`building packages/${name}`);
	execFileSync('npm', ['run', '--silent', 'build', '-w', `packages/${name}`], {
		cwd: join(root, '..'),
		stdio: ['ignore', 'ignore', 'inherit'],
		shell: process.platform === 'win32',
	});
}

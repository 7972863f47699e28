/**
 * Builds the packages whose dist is missing or older than what it is made from, in the order in which they need each other:
 * all that the server needs, or those that the arguments name.
 */
import {execFileSync} from 'node:child_process';
import {readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';

type Package = Readonly<{
	name: string;
	/** Besides its sources and its manifest. */
	madeOf: readonly string[];
}>;

const packages: readonly Package[] = [
	...['core', 'rpc', 'adapters-redis', 'adapters-sql', 'hapi-server', 'client-sdk', 'cli'].map((name) => ({
		name,
		madeOf: ['tsup.config.ts'],
	})),
	{name: 'dashboard', madeOf: ['vite.config.ts', 'index.html', '../client-sdk/src']},
];
const root = join(import.meta.dirname, '..', 'packages');

const filesIn = (directory: string): string[] =>
	readdirSync(directory, {recursive: true, withFileTypes: true})
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));

const timesOf = (paths: readonly string[]): number[] => paths.map((path) => statSync(path).mtimeMs);

const filesAt = (path: string): string[] => (statSync(path).isDirectory() ? filesIn(path) : [path]);

const isStale = ({name, madeOf}: Package): boolean => {
	const home = join(root, name);
	const sources = ['src', 'package.json', ...madeOf].flatMap((path) => filesAt(join(home, path)));
	try {
		return Math.max(...timesOf(sources)) > Math.min(...timesOf(filesIn(join(home, 'dist'))));
	} catch {
		return true;
	}
};

// A package that is built anew makes those after it stale: their declarations were made from its own.
const named = process.argv.slice(2);
const wanted = packages.filter(({name}) => named.length === 0 || named.includes(name));
const first = wanted.findIndex(isStale);
for (const {name} of first === -1 ? [] : wanted.slice(first)) {
	console.log(`building packages/${name}`);
	execFileSync('npm', ['run', '--silent', 'build', '-w', `packages/${name}`], {
		cwd: join(root, '..'),
		stdio: ['ignore', 'ignore', 'inherit'],
		shell: process.platform === 'win32',
	});
}

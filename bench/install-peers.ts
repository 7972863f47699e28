import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

/** Of a package that is installed in a folder. */
export const versionOf = (home: string, name: string): string =>
	JSON.parse(readFileSync(join(home, 'node_modules', name, 'package.json'), 'utf8')).version;

/** Installs what a folder's package.json names, if it is missing or not of that version, from the lock file beside it. */
export const installPeers = (home: string): void => {
	const {dependencies} = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
	const isInstalled = ([name, version]: [string, unknown]): boolean =>
		existsSync(join(home, 'node_modules', name)) && versionOf(home, name) === version;
	if (Object.entries(dependencies).every(isInstalled)) return;
	console.log('installing what to measure against');
	execFileSync('npm', ['ci', '--ignore-scripts'], {cwd: home, stdio: ['ignore', 'ignore', 'inherit']});
};

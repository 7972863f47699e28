import {globSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import test from 'ava';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const readJson = (path: string) => JSON.parse(readFileSync(`${root}${path}`, 'utf8'));

/** What finds or watches the times of cron expressions, by name. */
const cronEngine = /(^|[/-])(cron\w*|croner|later|agenda|bree|bull\w*|node-schedule|toad-scheduler)($|-)/;

test('[JOB-079] croner, at one exact version, is the only cron engine that anything here depends on', (t) => {
	const installed = Object.keys(readJson('package-lock.json').packages)
		.map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
		.filter((name) => cronEngine.test(name));
	t.deepEqual(installed, ['croner']);
	const manifests = ['package.json', ...globSync('packages/*/package.json', {cwd: root})].map(readJson);
	const ranges = manifests.flatMap(({dependencies = {}, devDependencies = {}}) =>
		Object.entries({...dependencies, ...devDependencies}).filter(([name]) => name === 'croner'),
	);
	t.is(ranges.length, 1);
	t.regex(String(ranges[0]?.[1]), /^\d+\.\d+\.\d+$/);
});

import {globSync, readFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {parse} from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');

const packages = globSync('packages/*/package.json', {cwd: root})
	.map((path) => ({home: dirname(path).replaceAll('\\', '/'), manifest: JSON.parse(read(path))}))
	.filter(({manifest}) => !manifest.private);

test('every package says whose it is, where it comes from, what it runs on, and what it is about', (t) => {
	for (const {home, manifest} of packages) {
		t.is(manifest.license, 'MIT', home);
		t.is(read(`${home}/LICENSE`), read('LICENSE'), home);
		t.deepEqual(manifest.repository, {
			type: 'git',
			url: 'git+https://github.com/signalbox/signalbox.git',
			directory: home,
		});
		t.is(manifest.homepage, `https://github.com/signalbox/signalbox/tree/main/${home}#readme`);
		t.regex(manifest.engines.node, /^>=\d+\.\d+$/, home);
		t.true(manifest.keywords.length >= 4 && manifest.description.length >= 20, home);
		t.deepEqual(manifest.publishConfig, {access: 'public', provenance: true}, home);
		t.true(manifest.files.includes('dist'), home);
	}
});

test('every package begins with what it is, and a first example', (t) => {
	for (const {home, manifest} of packages) {
		const [title, ...lines] = read(`${home}/README.md`).split('\n');
		t.is(title, `# ${manifest.name}`);
		const example = lines.findIndex((line) => /^```(ts|sh)\b/.test(line));
		t.true(example > 1 && example <= 12, `${home}: its first example is not within sight`);
	}
});

type Step = Readonly<{uses?: string; run?: string; with?: Record<string, string>}>;
type Job = Readonly<{needs?: string; permissions?: Record<string, string>; steps: readonly Step[]}>;

test('a release is checked first, published by who the job is and with provenance, and may do nothing else', (t) => {
	const {permissions, jobs} = parse(read('.github/workflows/release.yml')) as {
		permissions: Record<string, string>;
		jobs: Record<'check' | 'release', Job>;
	};
	t.deepEqual(permissions, {contents: 'read'});
	t.true(jobs.check.steps.some(({run}) => run === '.ci/run'));
	t.is(jobs.release.needs, 'check');
	t.deepEqual(jobs.release.permissions, {contents: 'write', 'pull-requests': 'write', 'id-token': 'write'});
	const scripts = JSON.parse(read('package.json')).scripts;
	const commands = jobs.release.steps.flatMap((step) => [step.with?.version, step.with?.publish]);
	for (const command of commands.filter((each) => each !== undefined))
		t.true(command.replace('npm run ', '') in scripts, command);
	for (const {uses} of Object.values(jobs).flatMap(({steps}) => steps))
		if (uses !== undefined) t.regex(uses, /^[\w-]+\/[\w-]+@v\d+$/, 'a version is named');
});

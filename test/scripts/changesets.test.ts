import {globSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import test from 'ava';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');

type Manifest = Readonly<{name: string; version: string; private?: boolean; dependencies?: Record<string, string>}>;

const packages = globSync('packages/*/package.json', {cwd: root})
	.map((path): Manifest => JSON.parse(read(path)))
	.filter(({private: isPrivate}) => !isPrivate);

/** The packages that a changeset names, with how much each of them changes. */
const changesOf = (changeset: string): readonly (readonly [string, string])[] => {
	const [, frontMatter = ''] = /^---\n(.*?)\n---\n/s.exec(changeset) ?? [];
	return frontMatter.split('\n').map((line) => {
		const [, name = line, bump = ''] = /^['"](.+)['"]: (major|minor|patch)$/.exec(line) ?? [];
		return [name, bump];
	});
};

test('all packages are published at one version, and depend on each other at it', (t) => {
	t.deepEqual(JSON.parse(read('.changeset/config.json')).fixed, [['@signalbox/*']]);
	const version = packages[0]?.version ?? '';
	for (const each of packages) {
		t.true(each.name.startsWith('@signalbox/'), each.name);
		t.is(each.version, version, each.name);
		for (const [name, range] of Object.entries(each.dependencies ?? {}))
			if (name.startsWith('@signalbox/')) t.is(range, `^${version}`, `${each.name} -> ${name}`);
	}
});

test('every changeset names packages that exist, and says how much changes and why', (t) => {
	const names = packages.map(({name}) => name);
	for (const path of globSync('.changeset/*.md', {cwd: root}).filter((each) => !each.endsWith('README.md'))) {
		const text = read(path);
		for (const [name, bump] of changesOf(text)) {
			t.true(names.includes(name), `${path}: ${name}`);
			t.not(bump, '', `${path}: ${name}`);
		}
		t.regex(text, /\n---\n\s*\S/, `${path}: says nothing`);
	}
});

import {chmod, chown, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {enforcePolicy, type HostPolicy, parseHostPolicy, readHostPolicy} from '../../src/agent/host-policy.ts';
import {matchesPattern} from '../../src/agent/wildcard.ts';
import {temporaryFolder} from './world.ts';

const isRoot = process.getuid?.() === 0;

const refusalOf = (policy: Partial<HostPolicy>, changes: object = {}): string | undefined => {
	const request = {command: 'backup.sh daily', real_working_dir: '/srv/data', environment: {}, ...changes};
	try {
		enforcePolicy({max_concurrent: 1, ...policy}, request);
		return undefined;
	} catch (error) {
		return /\((.*)\)$/.exec((error as Error).message)?.[1];
	}
};

test('a host without a policy allows everything', (t) => {
	t.deepEqual(parseHostPolicy('{}'), {});
	t.is(refusalOf({}, {environment: {PATH: '/x'}}), undefined);
});

test('a policy that does not hold is refused with the field', (t) => {
	for (const [text, message] of [
		['{', /it is no JSON/],
		['[]', /expected object/],
		['{"max_concurent": 2}', /max_concurent/],
		['{"max_concurrent": 0}', /^max_concurrent: /],
		['{"allowed_commands": "ls"}', /^allowed_commands: /],
		['{"allowed_working_dirs": ["srv"]}', /^allowed_working_dirs.0: must be an absolute path/],
	] as const)
		t.throws(() => parseHostPolicy(text), {message}, text);
});

test('a * in an allowed command stands for words, and for nothing that a shell reads as more', (t) => {
	t.true(matchesPattern('backup.sh *', 'backup.sh --all /srv/data 2026-01-01'));
	t.true(matchesPattern('* --dry-run *', 'a --dry-run b --dry-run c'));
	t.true(matchesPattern('aa*', 'aa'));
	for (const [pattern, text] of [
		['backup.sh', 'backup.sh x'],
		['backup.sh', 'Backup.sh'],
		['aa*aa', 'aaa'],
		['*a*', 'bbb'],
		...[';', '&', '|', '\n', '`', '$', '>', '<', '(', '"', "'", '\\', '*', '~'].map(
			(character) => ['backup.sh *', `backup.sh x${character}reboot`] as const,
		),
	] as const)
		t.false(matchesPattern(pattern, text), text);
});

test('a command must be among the allowed ones', (t) => {
	t.is(refusalOf({allowed_commands: ['ls', 'backup.sh *']}), undefined);
	t.is(refusalOf({allowed_commands: ['ls']}), 'allowed_commands');
	t.is(refusalOf({allowed_commands: []}), 'allowed_commands');
});

test('a working_dir must be in an allowed folder', (t) => {
	for (const allowed of ['/srv', '/srv/', '/srv/data', '/', '/srv/x/..'])
		t.is(refusalOf({allowed_working_dirs: [allowed]}), undefined, allowed);
	for (const allowed of ['/srv/dat', '/srv/data/below', '/srv/data/../other'])
		t.is(refusalOf({allowed_working_dirs: [allowed]}), 'allowed_working_dirs', allowed);
});

test('where commands are listed, variables that could change what they mean must be listed too', (t) => {
	const environment = {PATH: '/tmp/evil'};
	t.is(refusalOf({allowed_commands: ['backup.sh *']}, {environment}), 'allowed_environment');
	t.is(
		refusalOf({allowed_commands: ['backup.sh *'], allowed_environment: ['BACKUP_*']}, {environment}),
		'allowed_environment',
	);
	t.is(refusalOf({allowed_environment: []}, {environment}), 'allowed_environment');
	t.is(refusalOf({allowed_commands: ['*'], allowed_environment: ['P*']}, {environment}), undefined);
	t.is(refusalOf({allowed_commands: ['*']}, {environment: {SIGNALBOX_EVENT_ID: crypto.randomUUID()}}), undefined);
	for (const SIGNALBOX_EVENT_ID of ['$(reboot)', '../../etc', 'a b', '', 'x'.repeat(65)])
		t.is(refusalOf({allowed_commands: ['*']}, {environment: {SIGNALBOX_EVENT_ID}}), 'allowed_environment');
});

test('a policy that others could change is refused', async (t) => {
	const folder = await temporaryFolder(t);
	const path = join(folder, 'agent.json');
	await t.throwsAsync(readHostPolicy(path), {code: 'ENOENT'});
	await writeFile(path, '{"max_concurrent": 2}', {mode: 0o644});
	t.deepEqual(await readHostPolicy(path), {max_concurrent: 2});
	for (const mode of [0o664, 0o646]) {
		await chmod(path, mode);
		await t.throwsAsync(readHostPolicy(path), {message: `${path}: others may write to it: chmod go-w`});
	}
	await chmod(path, 0o644);
	await chmod(folder, 0o775);
	await t.throwsAsync(readHostPolicy(path), {message: `${folder}: others may write to it: chmod go-w`});
	await chmod(folder, 0o755);
	await symlink(path, join(folder, 'link.json'));
	await t.throwsAsync(readHostPolicy(join(folder, 'link.json')), {code: 'ELOOP'});
	await writeFile(path, '{"max": 2}');
	await t.throwsAsync(readHostPolicy(path), {message: /agent.json: .*max/});
	if (!isRoot) return;
	await chown(path, 12_345, 12_345);
	await t.throwsAsync(readHostPolicy(path), {message: /belongs to another account/});
});

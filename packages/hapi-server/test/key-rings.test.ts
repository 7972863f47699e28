import {mkdtemp, readdir, readFile, rm, stat} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {readConfig} from '@signalbox/hapi-server';
import test from 'ava';
import {openKeyRings} from '../src/key-rings.ts';

test('processes that start at once on an empty folder agree on the keys, and leave nothing else there', async (t) => {
	const folder = await mkdtemp(join(tmpdir(), 'signalbox-keys-'));
	t.teardown(() => rm(folder, {recursive: true, force: true}));
	const dataDir = join(folder, 'data');
	const config = readConfig({DATA_DIR: dataDir});
	const rings = await Promise.all(Array.from({length: 20}, () => openKeyRings(config)));
	const [first] = rings;
	for (const {master, jwt} of rings) t.deepEqual({master, jwt}, {master: first?.master ?? [], jwt: first?.jwt ?? []});
	t.is(rings.filter(({jwt_is_new}) => jwt_is_new).length, 1);
	t.deepEqual((await readdir(dataDir)).sort(), ['jwt.keys', 'master.keys']);
	for (const name of await readdir(dataDir)) t.is((await stat(join(dataDir, name))).mode & 0o777, 0o600);
	t.is((await stat(dataDir)).mode & 0o777, 0o700);
	const kept = await readFile(join(dataDir, 'master.keys'), 'utf8');
	await openKeyRings(config);
	t.is(await readFile(join(dataDir, 'master.keys'), 'utf8'), kept);
});

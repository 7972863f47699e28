import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {engine} from '../support/engine.ts';

/** A torture of servers that share a MariaDB: in a process that is told to keep data there, unless this one is. */
export const onMariadb =
	(name: string, torture: () => Promise<void>): (() => Promise<void>) =>
	async () => {
		if (engine === 'mariadb') return torture();
		const args = [...process.execArgv, ...process.argv.slice(1, 2), name];
		const env = {...process.env, TEST_ENGINE: 'mariadb'};
		const [code] = await once(spawn(process.execPath, args, {env, stdio: 'inherit'}), 'exit');
		assert.equal(code, 0, `${name} on MariaDB`);
	};

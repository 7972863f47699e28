import {userInfo} from 'node:os';
import test from 'ava';
import {accountEnvironment} from '../../src/agent/account-environment.ts';
import {defaultDrainMs, defaultKillGraceMs} from '../../src/agent/attempt.ts';
import {refuseRoot} from '../../src/agent/refuse-root.ts';

test('[AGT-020] commands inherit PATH, HOME, USER, SHELL, LANG and TZ of the account, and nothing else', (t) => {
	const own = {
		PATH: '/opt/bin:/bin',
		LANG: 'C.UTF-8',
		TZ: 'Europe/Vienna',
		HOME: '/of/sudo',
		SIGNALBOX_API_KEY: 'sbx_1',
	};
	const {homedir, username, shell} = userInfo();
	t.deepEqual(accountEnvironment(own), {
		PATH: own.PATH,
		HOME: homedir,
		USER: username,
		...(shell && {SHELL: shell}),
		LANG: own.LANG,
		TZ: own.TZ,
	});
});

test('there is always a PATH, and what is unknown is left out', (t) => {
	const {PATH, LANG, TZ} = accountEnvironment({});
	t.deepEqual([PATH, LANG, TZ], ['/usr/local/bin:/usr/bin:/bin', undefined, undefined]);
});

test('[AGT-022 AGT-024] unless told otherwise KILL comes 10 seconds after TERM, and output is drained for 5', (t) => {
	t.deepEqual([defaultKillGraceMs, defaultDrainMs], [10_000, 5000]);
});

test('the agent does not run as root unless it is allowed to', (t) => {
	t.throws(() => refuseRoot({uid: 0, allowRoot: false}), {message: /--allow-root/});
	t.notThrows(() => refuseRoot({uid: 0, allowRoot: true}));
	t.notThrows(() => refuseRoot({uid: 1000, allowRoot: false}));
	t.notThrows(() => refuseRoot({uid: undefined, allowRoot: false}));
});

import test from 'ava';
import fc from 'fast-check';
import {chooseActiveTeam} from '../../src/accounts/rules/active-team.ts';
import {formatApiKey, keyPrefixOf, maskedApiKey, parseApiKey} from '../../src/accounts/rules/api-key-text.ts';
import {hasExpired, isTouchDue} from '../../src/accounts/rules/api-key-use.ts';
import {bearerToken, credentialWords} from '../../src/accounts/rules/authorization.ts';
import {passwordForm, passwordProblem} from '../../src/accounts/rules/password.ts';
import {judgeTeamChange, mayRemoveMember} from '../../src/accounts/rules/team-rights.ts';

const now = '2026-01-31T09:30:00.000Z';

test('a password has 8 to 256 characters, counted as code points', (t) => {
	t.is(typeof passwordProblem('x'.repeat(7)), 'string');
	t.is(passwordProblem('x'.repeat(8)), undefined);
	t.is(passwordProblem('x'.repeat(256)), undefined);
	t.is(typeof passwordProblem('x'.repeat(257)), 'string');
	t.is(passwordProblem('😀'.repeat(256)), undefined);
	t.is(typeof passwordProblem('😀'.repeat(7)), 'string');
	t.is(typeof passwordProblem('x'.repeat(10_000_000)), 'string');
	t.is(typeof passwordProblem('password\ud800'), 'string');
});

test('the same letters are the same password, however they are composed', (t) => {
	t.is(passwordForm('pa\u0308ssword'), passwordForm('p\u00e4ssword'));
});

test('what a key is written as, it is read as', (t) => {
	const character = fc.constantFrom(...'ABCxyz019');
	const prefixes = fc.string({unit: character, minLength: 8, maxLength: 8});
	const secrets = fc.string({unit: fc.constantFrom(...'ABCxyz019-_'), minLength: 43, maxLength: 43});
	fc.assert(
		fc.property(prefixes, secrets, (prefix, secret) => {
			t.deepEqual(parseApiKey(formatApiKey({prefix, secret})), {prefix, secret});
			t.false(maskedApiKey(prefix).includes(secret));
		}),
	);
});

test('a text of another form is no key', (t) => {
	const secret = 's'.repeat(43);
	for (const text of [
		'',
		'sbx_',
		`sbx_abcd1234_${secret}x`,
		`sbx_abcd1234_${secret.slice(1)}`,
		`sbx_abcd123_${secret}`,
		`sbx_abcd-234_${secret}`,
		`SBX_abcd1234_${secret}`,
		` sbx_abcd1234_${secret}`,
		`sbx_abcd1234_${secret}\n`,
	]) {
		t.is(parseApiKey(text), undefined, text);
	}
});

test('the id of a key is made of letters and digits', (t) => {
	t.is(keyPrefixOf('a-b_c1d2e3f4g5'), 'abc1d2e3');
	t.is(keyPrefixOf('a-b_c1d2-----'), undefined);
});

test('[ACC-058] a key expires at its expires_at, one without never', (t) => {
	t.false(hasExpired({expires_at: null}, '9999-12-31T23:59:59.999Z'));
	t.false(hasExpired({expires_at: '2026-01-31T09:30:00.001Z'}, now));
	t.true(hasExpired({expires_at: now}, now));
});

test('the last use is written again a minute after the last writing', (t) => {
	t.true(isTouchDue({last_used_at: null}, now));
	t.false(isTouchDue({last_used_at: '2026-01-31T09:29:00.001Z'}, now));
	t.true(isTouchDue({last_used_at: '2026-01-31T09:29:00.000Z'}, now));
});

const authorizations = [
	{value: 'Bearer token', token: 'token'},
	{value: 'bearer token', token: 'token'},
	{value: 'BEARER \t token  ', token: 'token'},
	{value: 'Bearer', token: undefined},
	{value: 'Bearer ', token: undefined},
	{value: 'Bearertoken', token: undefined},
	{value: 'Bearer two tokens', token: undefined},
	{value: 'Basic dXNlcjpwYXNz', token: undefined},
	{value: 'token', token: undefined},
	{value: '', token: undefined},
];

for (const {value, token} of authorizations) {
	test(`Authorization "${value}" holds ${token === undefined ? 'no token' : 'the token'}`, (t) => {
		t.is(bearerToken(value), token);
	});
}

test('every word of an Authorization value counts as a credential', (t) => {
	t.deepEqual(credentialWords('Bearer a, Token  b'), ['Bearer', 'a', 'Token', 'b']);
});

const personal = {id: 'personal', is_personal: true};
const shared = {id: 'shared', is_personal: false};

test('a call works in the requested team, else in the preferred one, else in the personal one', (t) => {
	const teams = [shared, personal];
	const active = (requested: string | undefined, preferred: string) => chooseActiveTeam(teams, {requested, preferred});
	t.deepEqual(active('shared', 'personal'), {ok: true, team_id: 'shared'});
	t.deepEqual(active(undefined, 'shared'), {ok: true, team_id: 'shared'});
	t.deepEqual(active(undefined, 'gone'), {ok: true, team_id: 'personal'});
	t.deepEqual(active('foreign', 'shared'), {ok: false, because: 'not_a_member'});
	t.deepEqual(active('', 'shared'), {ok: false, because: 'not_a_member'});
});

const rights = [
	{role: 'owner', is_personal: false, change: 'rename', verdict: 'allowed'},
	{role: 'owner', is_personal: false, change: 'delete', verdict: 'allowed'},
	{role: 'owner', is_personal: false, change: 'add_people', verdict: 'allowed'},
	{role: 'owner', is_personal: true, change: 'rename', verdict: 'allowed'},
	{role: 'owner', is_personal: true, change: 'delete', verdict: 'personal_team'},
	{role: 'owner', is_personal: true, change: 'add_people', verdict: 'personal_team'},
	{role: 'member', is_personal: false, change: 'rename', verdict: 'owners_only'},
	{role: 'member', is_personal: false, change: 'delete', verdict: 'owners_only'},
	{role: 'member', is_personal: false, change: 'add_people', verdict: 'owners_only'},
] as const;

for (const {role, is_personal, change, verdict} of rights) {
	test(`${role} of a ${is_personal ? 'personal' : 'shared'} team, ${change}: ${verdict}`, (t) => {
		t.is(judgeTeamChange({role, is_personal}, change), verdict);
	});
}

test('owners remove anyone, members themselves', (t) => {
	t.true(mayRemoveMember({role: 'owner'}, {caller_id: 'a', member_id: 'b'}));
	t.true(mayRemoveMember({role: 'member'}, {caller_id: 'a', member_id: 'a'}));
	t.false(mayRemoveMember({role: 'member'}, {caller_id: 'a', member_id: 'b'}));
});

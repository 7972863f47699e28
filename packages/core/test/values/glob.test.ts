import test from 'ava';
import fc from 'fast-check';
import {compileGlob, globProblem} from '../../src/values/glob.ts';

const matches = (pattern: string, name: string): boolean => compileGlob(pattern).matches(name);

test('[APR-004] a pattern without wildcard matches only the exact name', (t) => {
	t.true(matches('get_user', 'get_user'));
	for (const name of ['get_users', 'aget_user', 'get_use', 'GET_USER', '']) t.false(matches('get_user', name), name);
	fc.assert(
		fc.property(fc.stringMatching(/^[A-Za-z0-9_.\-/]{1,20}$/), fc.string(), (pattern, name) => {
			t.is(matches(pattern, name), pattern === name);
		}),
	);
});

test('[APR-006 APR-007] a glob covers the whole name and is case-sensitive', (t) => {
	t.true(matches('get_*', 'get_x'));
	t.false(matches('get_*', 'forget_x'));
	t.false(matches('*_get', 'x_get_y'));
	t.false(matches('get_*', 'Get_x'));
	t.false(matches('[a-z]et', 'Get'));
	t.false(matches('{get,put}', 'GET'));
});

test('[APR-008] * matches any run, also / and . and the empty run', (t) => {
	for (const name of ['get_', 'get_a', 'get_a/b', 'get_a.b', 'get_*', 'get_\n', 'get_😀'])
		t.true(matches('get_*', name), name);
	t.true(matches('*', ''));
	t.true(matches('a*b*c', 'abc'));
	t.true(matches('a*b*c', 'a/b.b/c'));
	t.false(matches('a*b*c', 'ac'));
	t.true(matches('**', 'x'));
});

test('[APR-009] ? matches exactly one character', (t) => {
	t.true(matches('a?c', 'abc'));
	t.true(matches('a?c', 'a/c'));
	t.true(matches('a?c', 'a😀c'));
	t.false(matches('a?c', 'ac'));
	t.false(matches('a?c', 'abbc'));
});

test('[APR-010] [...] matches one character of the set', (t) => {
	for (const [pattern, yes, no] of [
		['v[123]', ['v1', 'v3'], ['v4', 'v', 'v12']],
		['v[0-9a-f]', ['v0', 'va'], ['vg', 'v-']],
		['v[!0-9]', ['va', 'v-'], ['v1', 'v']],
		['v[^0-9]', ['va'], ['v1']],
		['v[]]', ['v]'], ['v[', 'v']],
		['v[!]]', ['va'], ['v]']],
		['v[a-]', ['va', 'v-'], ['vb']],
		['v[*?{,}]', ['v*', 'v?', 'v{', 'v,', 'v}'], ['va']],
	] as const) {
		for (const name of yes) t.true(matches(pattern, name), `${pattern} ${name}`);
		for (const name of no) t.false(matches(pattern, name), `${pattern} ${name}`);
	}
});

test('[APR-011] {a,b} matches either alternative, also nested ones that hold globs', (t) => {
	for (const name of ['get_a', 'list_a']) t.true(matches('{get,list}_*', name));
	t.false(matches('{get,list}_*', 'put_a'));
	for (const name of ['x', 'xa', 'xb1', 'xbz2', 'xc']) t.true(matches('x{,a,b{?,*2},c}', name), name);
	for (const name of ['xb', 'xd', 'xab1']) t.false(matches('x{,a,b{?,*2},c}', name), name);
	t.true(matches('a,b', 'a,b'));
});

test('malformed patterns are refused with a message', (t) => {
	for (const pattern of [
		'',
		'[',
		'[a',
		'[]',
		'[!]',
		'{',
		'{a',
		'{a,b',
		'{}',
		'{,}',
		'a}',
		'a]',
		'[z-a]',
		'{a,[b}',
		'{[}]',
		'x'.repeat(257),
	]) {
		t.is(typeof globProblem(pattern), 'string', pattern);
		t.throws(() => compileGlob(pattern), {instanceOf: SyntaxError}, pattern);
	}
	t.is(globProblem('get_*'), undefined);
	t.is(globProblem('x{a'), 'the "{" at character 2 is not closed');
	t.is(globProblem('a]'), 'the "]" at character 2 closes nothing; write []] for the character');
	t.is(globProblem('[z-a]'), 'the range "z-a" runs backwards');
});

test('a random text is a glob or is refused, and nothing else happens', (t) => {
	const text = fc.string({unit: fc.constantFrom(...'ab*?[]{},!-^\\'), maxLength: 24});
	fc.assert(
		fc.property(text, text, (pattern, name) => {
			if (globProblem(pattern) === undefined) t.is(typeof matches(pattern, name), 'boolean');
		}),
		{numRuns: 3000},
	);
});

test('globs agree with a regular expression that means the same', (t) => {
	const part = fc.constantFrom<readonly [string, string]>(
		['a', 'a'],
		['b', 'b'],
		['*', '[^]*'],
		['?', '[^]'],
		['[ab]', '[ab]'],
		['[!a]', '[^a]'],
		['{a,bb}', '(?:a|bb)'],
		['{,b*}', '(?:|b[^]*)'],
	);
	fc.assert(
		fc.property(
			fc.array(part, {minLength: 1, maxLength: 7}),
			fc.string({unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9}),
			(parts, name) => {
				const pattern = parts.map(([glob]) => glob).join('');
				const expression = new RegExp(`^${parts.map(([, source]) => source).join('')}$`, 'u');
				t.is(matches(pattern, name), expression.test(name), `${pattern} ${name}`);
			},
		),
		{numRuns: 3000},
	);
});

test('matching takes linear time, also for patterns made to blow up', (t) => {
	const patterns = [
		`${'a*'.repeat(100)}b`,
		`${'*?'.repeat(100)}b`,
		`${'{a,a}'.repeat(50)}b`,
		`${'{a*,*a}'.repeat(36)}b`,
		`${'{'.repeat(30)}a*${',*a}'.repeat(30)}b`,
	];
	const name = 'a'.repeat(2000);
	const begun = performance.now();
	for (const pattern of patterns) t.false(matches(pattern, name), pattern);
	t.true(performance.now() - begun < 5000);
});

import test from 'ava';
import {readdressChallenges} from '../../src/proxy/metadata/auth-challenges.ts';

const ours = 'https://proxy.example.com/.well-known/oauth-protected-resource/p/slug';
const theirs = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';

/** A field, and the same as it leaves; `@` stands for the address in either. */
const readdressed: readonly (readonly [string, string])[] = [
	['Bearer resource_metadata="@"', 'Bearer resource_metadata="@"'],
	['bearer Resource_Metadata="@"', 'bearer Resource_Metadata="@"'],
	['Bearer realm="a", resource_metadata="@", scope="x y"', 'Bearer realm="a", resource_metadata="@", scope="x y"'],
	['Bearer realm=a,resource_metadata="@",error=b', 'Bearer realm=a,resource_metadata="@",error=b'],
	['Bearer  resource_metadata \t= "@" , a=b', 'Bearer  resource_metadata \t= "@" , a=b'],
	[
		'Basic realm="x", DPoP algs="ES256", resource_metadata="@"',
		'Basic realm="x", DPoP algs="ES256", resource_metadata="@"',
	],
	['Negotiate YWJj==, Bearer resource_metadata="@"', 'Negotiate YWJj==, Bearer resource_metadata="@"'],
	['Negotiate, , Bearer resource_metadata="@",', 'Negotiate, , Bearer resource_metadata="@",'],
	[
		'Bearer a="\\", resource_metadata=", resource_metadata="@"',
		'Bearer a="\\", resource_metadata=", resource_metadata="@"',
	],
	['Bearer a="b,\\\\", resource_metadata="@"', 'Bearer a="b,\\\\", resource_metadata="@"'],
	['Bearer a="\xe4", resource_metadata="@"', 'Bearer a="\xe4", resource_metadata="@"'],
	['Bearer resource_metadata=@, scope=a', 'Bearer resource_metadata="@", scope=a'],
	[
		'Bearer resource_metadata="@", DPoP resource_metadata="@"',
		'Bearer resource_metadata="@", DPoP resource_metadata="@"',
	],
];

const untouched = [
	'',
	',',
	'Bearer',
	'Basic realm="x"',
	'Bearer realm="resource_metadata=@"',
	'Bearer realm="a, resource_metadata=@, b"',
	'Bearer realm="a\\", resource_metadata=\\"@\\", b"',
	'Bearer x_resource_metadata="@"',
	'Bearer resource_metadata_x="@"',
	"Bearer resource_metadata*=UTF-8''@",
	'Bearer resource_metadata=',
	'Bearer resource_metadata',
	'Bearer realm="never closed, resource_metadata=@',
	'Bearer resource_metadata="@',
	'Bearer resource_metadata="@\\"',
	'Bearer resource_metadata="@" more',
	'Bearer resource_metadata="@""@"',
];

for (const [before, after] of readdressed)
	test(`readdressed: ${before}`, (t) => {
		t.deepEqual(readdressChallenges(before.replaceAll('@', theirs), ours), {
			value: after.replaceAll('@', ours),
			named: theirs,
		});
	});

for (const text of untouched)
	test(`untouched: ${text}`, (t) => {
		const value = text.replaceAll('@', theirs);
		t.deepEqual(readdressChallenges(value, ours), {value, named: undefined});
	});

test('the address that was named is read without its escapes, and the first one counts', (t) => {
	const {named} = readdressChallenges('A resource_metadata="http:\\/\\/a/\\b", B resource_metadata="http://c"', ours);
	t.is(named, 'http://a/b');
});

test('a field as long as fields can be costs no more than reading it', (t) => {
	for (const part of ['"\\"', '\\"', 'a ', ', ', '""', 'a="b",', 'resource_metadata= ', '" ']) {
		const value = part.repeat(100_000);
		const started = performance.now();
		readdressChallenges(value, ours);
		t.true(performance.now() - started < 5000, part);
	}
});

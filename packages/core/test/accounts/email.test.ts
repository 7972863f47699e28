import test from 'ava';
import fc from 'fast-check';
import {emailKeyOf, emailProblem} from '../../src/values/email.ts';

const label = 'a'.repeat(63);

const addresses = [
	'a@b.co',
	'ada.lovelace+tag@mail.example.com',
	"o'brien_%-x@example.co.uk",
	'jörg@exämple.de',
	'用户@例子.公司',
	'admin@localhost',
	`${'l'.repeat(64)}@${label}.${label}.com`,
];

for (const address of addresses) {
	test(`${address.slice(0, 40)} is an address`, (t) => t.is(emailProblem(address), undefined));
}

const refused = {
	nothing: '',
	'no @': 'not-an-email',
	'no name': '@example.com',
	'no domain': 'a@',
	'two @': 'a@b@example.com',
	'a blank': 'a b@example.com',
	'a blank around': ' a@example.com ',
	'a line break': 'a@example.com\n',
	'a control character': 'a\u0000b@example.com',
	'one label': 'a@example',
	'an empty label': 'a@example..com',
	'a dot at the end': 'a@example.com.',
	'a label that begins with a hyphen': 'a@-example.com',
	'a label that ends with a hyphen': 'a@example-.com',
	'a label of 64': `a@a${label}.com`,
	'a name of 65': `${'l'.repeat(65)}@example.com`,
	'dots in a row': 'a..b@example.com',
	'a display name': 'Ada <a@example.com>',
	'a lone surrogate': 'a\ud800@example.com',
	'255 characters': `a@${`${'d'.repeat(61)}.`.repeat(4)}${'c'.repeat(5)}`,
};

for (const [what, text] of Object.entries(refused)) {
	test(`${what} is refused as an address`, (t) => t.is(typeof emailProblem(text), 'string'));
}

test('a judgement takes linear time', (t) => {
	const begun = performance.now();
	for (const hostile of ['a'.repeat(1e6), `${'a.'.repeat(5e5)}@`, `a@${'a-'.repeat(5e5)}`, '@'.repeat(1e6)]) {
		t.is(typeof emailProblem(hostile), 'string');
	}
	t.true(performance.now() - begun < 10_000);
});

test('[ACC-010] addresses compare in lower case and NFC', (t) => {
	t.is(emailKeyOf('Ada@Example.COM'), 'ada@example.com');
	t.is(emailKeyOf('jo\u0308rg@example.com'), emailKeyOf('JÖRG@example.com'));
});

test('the form of comparison is its own form of comparison', (t) => {
	fc.assert(
		fc.property(fc.string({unit: 'binary'}), (text) => {
			t.is(emailKeyOf(emailKeyOf(text)), emailKeyOf(text));
		}),
	);
});

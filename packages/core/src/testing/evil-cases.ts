/** Something that was made to take long: a pattern or a path, and what it is put to. */
export type EvilCase = Readonly<{asked: string; text: () => string}>;

const mebibyte = 1024 * 1024;

/** Letters at random, the same ones each time (xorshift). */
export const letters = (alphabet: string, length = mebibyte): string => {
	let state = 12_345;
	const codes = Array.from(alphabet, (letter) => letter.charCodeAt(0));
	const made = new Uint16Array(length);
	for (let index = 0; index < length; index += 1) {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		made[index] = codes[(state >>> 0) % codes.length] ?? 0;
	}
	return new TextDecoder('utf-16le').decode(made);
};

const texts = {
	oneLetter: () => 'a'.repeat(mebibyte),
	twoLetters: () => `${letters('ab')}c`,
	words: () => letters('ab '),
	digits: () => letters('01'),
	anything: () => letters(Array.from({length: 90}, (_, index) => String.fromCharCode(33 + index)).join('')),
	foreign: () => letters(Array.from({length: 3000}, (_, index) => String.fromCharCode(256 + index * 11)).join('')),
	almost: () => `${'a'.repeat(15)}b`.repeat(mebibyte / 16),
} as const;

const on = (text: keyof typeof texts, ...patterns: readonly string[]): readonly EvilCase[] =>
	patterns.map((asked) => ({asked, text: texts[text]}));

const alternatives = Array.from({length: 60}, (_, index) => `w${index}ord`).join('|');

/** Regular expressions. Each is refused when it is written, or ends soon. */
export const evilPatterns: readonly EvilCase[] = [
	...on(
		'oneLetter',
		'(a+)+$',
		'(a*)*b',
		'(a|aa)+$',
		'(a|a?)+b',
		'^(a+)+$',
		'(x+x+)+y',
		'(a?){100}a{100}',
		'a{1000}',
		'a{450}b',
	),
	...on(
		'oneLetter',
		'(((((a?){3}){3}){3}){3})b',
		'(?:a{0,20}){20}b',
		'^(?:a?){200}$',
		'.*.*.*.*=.*',
		'(?:.*a){20}b',
		'(a*)*(a*)*b',
	),
	...on(
		'twoLetters',
		'a[ab]{20}c',
		'a[ab]{60}d',
		'a[ab]{450}c',
		'(a|b)*a(a|b){12}d',
		'[ab]*a[ab]{10}$',
		'(?:a|b|ab|ba)*d',
	),
	...on(
		'twoLetters',
		'(?:a.{0,50}){3}d',
		'[\\s\\S]*a[\\s\\S]{14}q',
		'(?s)^.*a.{25}d',
		'a.{10}a.{10}a.{10}d',
		'^(a|b)*$',
		'^[ab]+d$',
	),
	...on(
		'words',
		'\\ba.{30}b\\b',
		'(\\w+\\s?)*$',
		'(?:\\b|\\B|^|$)*q',
		'(?m)^a*$.*^b',
		'(?i)[a-z]{50}q',
		'(.{1,40}a){3}z',
		'(?:\\w{1,9}\\s){30}q',
	),
	...on('digits', '\\d{100}x', '(\\d+)*x', '^(?:\\d|\\d\\d)+x', '(?:0|1)*1(?:0|1){15}x', '1.{18}2'),
	...on(
		'anything',
		alternatives,
		`(?:${alternatives})x`,
		`(?i)${alternatives}`,
		'[^,]*,[^,]*,[^,]*\\x00',
		'(?:[a-f][b-g][c-h][d-i]|[a-z]{4}){30}',
	),
	...on(
		'foreign',
		'\\p{L}{40}\\d',
		'\\p{L}{400}\\d',
		'\\p{L}'.repeat(190),
		`(?i)${'\\p{L}'.repeat(180)}q`,
		'(?i)[\\x{100}-\\x{ffff}]{30}q',
	),
	...on('almost', 'a{15}a', '(?:a{14}b){3}c', 'b.{14}b.{14}b.{14}c', 'aaaaaaaaaaaaaaaaab', '(a{20}b|b{20}a|(ab){20})q'),
	...on('oneLetter', '(?=a)b', '(a)\\1', '(?<!a)b', '(', 'a'.repeat(1001), '(?:a{900}){900}'),
];

const list = (element: string): string => {
	const times = Math.floor((mebibyte - 2) / (element.length + 1));
	return `[${Array.from({length: times}, () => element).join(',')}]`;
};
const nested = (open: string, close: string, depth: number): string => `${open.repeat(depth)}1${close.repeat(depth)}`;

const bodies = {
	numbers: () => list('1'),
	lists: () => list('[]'),
	objects: () => list('{"a":1}'),
	deeper: () => list('{"a":1,"b":{"c":[1,2]}}'),
	deepList: () => nested('[', ']', 3000),
	deepObject: () => nested('{"a":', '}', 3000),
	twins: () => `[${nested('[', ']', 2000)},${nested('[', ']', 2000)}]`,
	wide: () => `{${Array.from({length: 60_000}, (_, index) => `"k${index}":1`).join(',')}}`,
	longTexts: () => JSON.stringify({a: 'x'.repeat(400_000), b: `${'x'.repeat(399_999)}y`, c: Array(20_000).fill('z')}),
	texts: () => JSON.stringify(Array.from({length: 9000}, () => letters('ab', 100))),
	bigLeaf: () => `${'['.repeat(500)}"${'x'.repeat(mebibyte - 1100)}"${']'.repeat(500)}`,
} as const;

const inBody = (body: keyof typeof bodies, ...paths: readonly string[]): readonly EvilCase[] =>
	paths.map((asked) => ({asked, text: bodies[body]}));

const sixteen = `[${Array(16).fill('*').join()}]`;

/** JSONPaths; their texts are JSON. */
export const evilPaths: readonly EvilCase[] = [
	...inBody('numbers', '$[*]', '$..*', '$..a', `$${sixteen}`, '$[::-1]', '$[?@ == $[0]]', '$[?@ == $]', '$..[?@ != @]'),
	...inBody('lists', '$..*', '$..[*,*,*,*]', '$[?count(@.*) > 1]', '$[?length(@) > 1]', `$${sixteen}${sixteen}`),
	...inBody(
		'objects',
		'$[?@.a == 1]',
		'$..[?@.*]',
		'$[?@.a == 1 && @.a == 1 || @.a == 2]',
		'$[?@ == $[0]]',
		'$[?match(@.a, "1")]',
	),
	...inBody('deeper', '$..c[*]', '$..[?@.c[?@ == 1]]', '$..[?@.b.c[0] == $[0].b.c[0]]', '$[*][*][*][*]', '$..b..c'),
	...inBody('deepList', '$..*', '$..[?@ == $[0]]', '$..[?@[0][0][0][0][0]]', `$${'[0]'.repeat(65)}`),
	...inBody('deepObject', '$..a', '$..[?@.a == $.a]', '$..a..a', '$[?@..a]'),
	...inBody('twins', '$[?@ == $[0]]', '$..[?@ == $[0]]', '$..[?@ == $[1][0]]'),
	...inBody('wide', '$.*', '$[?@ == 1]', '$..k1', '$[?@ == $]', `$${sixteen}`),
	...inBody(
		'longTexts',
		'$.c[?$.a == $.b]',
		'$.c[?$.a < $.b]',
		'$.c[?length($.a) > 1]',
		"$.c[?search($.a, 'y$')]",
		"$..[?search(@, 'x{9}y$')]",
	),
	...inBody(
		'texts',
		"$[?search(@, 'a[ab]{20}c')]",
		"$[?match(@, '(a|b)*c')]",
		"$[?search(@, '(?=a)')]",
		'$[?search(@, @)]',
	),
	...inBody('bigLeaf', '$..*', '$..[0]', '$[0]'),
];

import fc from 'fast-check';
import {type Node, type Operation, schemaAt} from './document.ts';

/** Texts that programs stumble over. */
const oddTexts = [
	...[
		'',
		' ',
		'\u0000',
		'a\u0000b',
		'\ud800',
		'\u202egnp.exe',
		'𝒳'.repeat(200),
		'e\u0301',
		'\ufeffx',
		'../../etc/passwd',
	],
	...['%00', '%', "' OR 1=1 --", '__proto__', 'constructor', '{{env.NONE}}', '{{env.', '$..*', '(a+)+$', '\r\nx: y'],
	...['x'.repeat(100_000), '-0', '1e400', '9007199254740993', '2026-02-30T00:00:00Z', '+275760-09-13T00:00:00.001Z'],
];

const oddNumbers = [0, -0, -1, 0.5, 1e21, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, Number.MIN_VALUE];

/** A JSON value of any kind. */
const odd = fc.oneof(
	fc.constantFrom<unknown>(...oddTexts, ...oddNumbers, null, true, [], {}, [[]], {__proto__: null, a: {}}),
	fc.jsonValue({maxDepth: 3}),
	fc.string({unit: 'binary', maxLength: 40}),
	fc.array(fc.integer(), {minLength: 1001, maxLength: 1001}),
);

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
	uuid: fc.uuid({version: 7}),
	email: fc.emailAddress(),
	uri: fc.constantFrom('http://127.0.0.1:9/x', 'https://[::1]/', 'http://user:pass@127.0.0.1/', 'ftp://x/'),
	'date-time': fc.date({noInvalidDate: true}).map((date) => date.toISOString()),
};

const textOf = ({format, minLength = 0, maxLength = 200, examples}: Node): fc.Arbitrary<unknown> =>
	fc.oneof(
		...(examples === undefined ? [] : [fc.constantFrom<unknown>(...examples)]),
		...(formats[format] === undefined ? [] : [formats[format]]),
		fc.string({minLength, maxLength: Math.max(minLength, Math.min(maxLength, 300))}),
	);

/** What the document shows is right; a generated field joins it, or replaces it, in turn. */
const withExample = (record: fc.Arbitrary<object>, examples: readonly object[]): fc.Arbitrary<object> => {
	if (examples.length === 0) return record;
	const example = fc.constantFrom(...examples);
	const one = fc.tuple(record, fc.nat()).map(([made, at]) => {
		const fields = Object.entries(made);
		return Object.fromEntries(fields.slice(at % (fields.length + 1)).slice(0, 1));
	});
	return fc.oneof(
		example,
		record,
		fc.tuple(example, one).map(([shown, more]) => ({...shown, ...more})),
	);
};

const objectOf = ({
	properties = {},
	required = [],
	additionalProperties,
	examples = [],
}: Node): fc.Arbitrary<unknown> => {
	const known = Object.fromEntries(
		Object.entries(properties as Record<string, Node>).map(([name, schema]) => [name, fitting(schema)]),
	);
	const record = withExample(fc.record(known, {requiredKeys: required}), examples);
	if (typeof additionalProperties !== 'object') return record;
	const more = fc.dictionary(fc.string({maxLength: 20}), fitting(additionalProperties), {maxKeys: 3});
	return fc.tuple(record, more).map(([some, others]) => ({...others, ...some}));
};

/** A value that fits a schema, nearly always. */
const fitting = (node: Node): fc.Arbitrary<unknown> => {
	const schema = schemaAt(node);
	const {type, anyOf, oneOf, items = {}, minItems = 0, maxItems = 4, minimum, maximum} = schema;
	if ('const' in schema) return fc.constant(schema.const);
	if (schema.enum !== undefined) return fc.constantFrom<unknown>(...schema.enum);
	const choices = anyOf ?? oneOf;
	if (choices !== undefined) return fc.oneof(...choices.map(fitting));
	if (Array.isArray(type)) return fc.oneof(...type.map((each) => fitting({...schema, type: each})));
	switch (type) {
		case 'string':
			return textOf(schema);
		case 'integer':
			return fc.integer({min: minimum ?? -1000, max: Math.min(maximum ?? 1000, 2 ** 31)});
		case 'number':
			return fc.double({min: minimum ?? -1000, max: maximum ?? 1000, noNaN: true});
		case 'boolean':
			return fc.boolean();
		case 'null':
			return fc.constant(null);
		case 'array':
			return fc.array(fitting(items), {minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4))});
		case 'object':
			return objectOf(schema);
		default:
			return odd;
	}
};

type Place = Readonly<{holder: Node; key: string | number}>;

const placesIn = (value: Node): readonly Place[] =>
	typeof value !== 'object' || value === null
		? []
		: Object.keys(value).flatMap((key) => [{holder: value, key}, ...placesIn(value[key])]);

type Change = Readonly<{at: number; how: 'replace' | 'remove' | 'add'; by: unknown}>;

/** Changes one place in a value, whole or deep inside. */
const change = (value: unknown, {at, how, by}: Change): unknown => {
	const copy = structuredClone({value});
	const places = placesIn(copy);
	const {holder, key} = places[at % places.length] as Place;
	if (how === 'remove' && holder !== copy) delete holder[key];
	else if (how === 'add') Object.defineProperty(holder, `${key}x`, {value: by, enumerable: true});
	else Object.defineProperty(holder, key, {value: by, enumerable: true, writable: true, configurable: true});
	return copy.value;
};

const changeOf = fc.record({at: fc.nat(), how: fc.constantFrom('replace', 'remove', 'add'), by: odd});

/** A value that fits a schema, and mostly one that nearly does. */
const nearly = (schema: Node): fc.Arbitrary<unknown> =>
	fc
		.tuple(fitting(schema), fc.oneof(fc.constant([]), fc.array(changeOf, {minLength: 1, maxLength: 2})))
		.map(([value, changes]) => changes.reduce<unknown>((at, next) => change(at, next as Change), value));

type Sent = Readonly<{body: Uint8Array | undefined; headers: Readonly<Record<string, string>>}>;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What can be wrong with a JSON text, and with what is said of it. */
const spoil: Readonly<Record<string, (text: string) => Sent>> = {
	...{cut: (text) => ({body: bytes(text.slice(0, -1)), headers: {}})},
	...{marked: (text) => ({body: bytes(`\ufeff${text}`), headers: {}})},
	...{twice: (text) => ({body: bytes(text.replace(/^\{("[^"]*":)/, '{$1 1,$1')), headers: {}})},
	...{noUtf8: (text) => ({body: new Uint8Array([...bytes(text), 0xff, 0xfe]), headers: {}})},
	...{deep: () => ({body: bytes('['.repeat(20_000)), headers: {}})},
	...{empty: () => ({body: bytes(''), headers: {}})},
	...{text: (text) => ({body: bytes(text), headers: {'content-type': 'text/plain'}})},
	...{form: (text) => ({body: bytes(text), headers: {'content-type': 'application/x-www-form-urlencoded'}})},
	...{parts: (text) => ({body: bytes(text), headers: {'content-type': 'multipart/form-data; boundary=x'}})},
	...{
		utf16: (text) => ({
			body: Buffer.from(text, 'utf16le'),
			headers: {'content-type': 'application/json; charset=utf-16'},
		}),
	},
	...{gzip: (text) => ({body: bytes(text), headers: {'content-encoding': 'gzip'}})},
	...{unknown: (text) => ({body: bytes(text), headers: {'content-type': ';;;'}})},
};

const json = {'content-type': 'application/json'};

const sentOf = (schema: Node): fc.Arbitrary<Sent> => {
	const plain = fc.constant((text: string): Sent => ({body: bytes(text), headers: json}));
	const spoilt = fc.constantFrom(...Object.values(spoil));
	const value = nearly(schema).map((made) => JSON.stringify(made) ?? 'null');
	return fc
		.tuple(value, fc.oneof({weight: 6, arbitrary: plain}, {weight: 1, arbitrary: spoilt}))
		.map(([text, send]) => send(text))
		.map(({body, headers}) => ({body, headers: {...json, ...headers}}));
};

/** Of what a request is made. */
export type ArbitraryRequest = Sent &
	Readonly<{
		/** Like `?limit=5`, or empty. */
		query: string;
		/** What stands in the path, by parameter; one that is left out stands for a resource that there is. */
		path: Readonly<Record<string, string>>;
	}>;

const queryText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const queryOf = ({parameters}: Operation): fc.Arbitrary<string> => {
	const pairs = parameters
		.filter((each) => each.in === 'query')
		.map(({name, schema}) => nearly(schema).map((value): [string, string] => [name, queryText(value).slice(0, 2000)]));
	const strange = fc.tuple(fc.string({maxLength: 10}), fc.string({maxLength: 10}));
	return fc
		.tuple(...pairs)
		.chain((all) => fc.tuple(fc.subarray(all), fc.array(strange, {maxLength: 1})))
		.map(
			([some, more]) =>
				`?${new URLSearchParams([...some, ...more].map(([a, b]) => [a.toWellFormed(), b.toWellFormed()]))}`,
		);
};

const oddIds = ['x', '0', '%00', '..', 'null', '01890000-0000-7000-8000-000000000000', '%F0%28', 'a'.repeat(3000)];

const pathOf = ({parameters}: Operation): fc.Arbitrary<Record<string, string>> => {
	const names = parameters.filter((each) => each.in === 'path').map(({name}) => name);
	const others = fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom(...oddIds)])));
	return fc.oneof({weight: 4, arbitrary: fc.constant({})}, {weight: 1, arbitrary: others});
};

const nothing: Sent = {body: undefined, headers: {}};

/** Requests of an operation that are right, nearly right, and wrong in every way. */
export const arbitraryRequest = (operation: Operation): fc.Arbitrary<ArbitraryRequest> => {
	const sent = operation.body === undefined ? fc.constant(nothing) : sentOf(operation.body);
	return fc
		.tuple(sent, queryOf(operation), pathOf(operation))
		.map(([{body, headers}, query, path]) => ({body, headers, query, path}));
};

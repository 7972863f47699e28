import {decideToolCall, readStrictJson} from '@signalbox/core';
import test from 'ava';
import fc from 'fast-check';
import {type GateRules, judgeBody} from '../../src/proxy/gate/body-gate.ts';
import {toolNameOf} from '../../src/proxy/message.ts';
import {lenientReaders} from './lenient-readers.ts';
import {gatedTool, mutatedBody} from './mutated-bodies.ts';

const rules: GateRules = {
	approval_config: {
		enabled: true,
		default_action: 'allow',
		trust_level: 'strict',
		ttl_seconds: 300,
		rules: [{pattern: gatedTool, action: 'require'}],
	},
	rate_limit_config: {},
	allowed_methods: [],
	default_cost_cents: 0,
};

type Fate = 'refused' | 'held' | 'passed';

const fateOf = (body: Buffer, by = rules): Fate => {
	const judged = judgeBody(body, {}, by);
	if (!judged.ok) return 'refused';
	const names = judged.messages.map(toolNameOf).filter((name) => name !== undefined);
	return names.some((name) => decideToolCall(by.approval_config, name).action === 'require') ? 'held' : 'passed';
};

const isAlive = (body: Buffer): boolean =>
	Object.values(lenientReaders).some((reader) => reader(body).includes(gatedTool));

type Anything = ReturnType<typeof JSON.parse>;

const readUnique = (body: Buffer): Anything => {
	const read = readStrictJson(body, {any_character: true});
	if (!read.ok) throw new Error(read.code);
	return read.value;
};

/** The body as a gate sees it that first makes something else of its JSON. What is no JSON is judged as it is. */
const after =
	(change: (value: Anything) => unknown, read: (body: Buffer) => Anything = readUnique) =>
	(body: Buffer): Fate => {
		try {
			return fateOf(Buffer.from(JSON.stringify(change(read(body)))));
		} catch {
			return fateOf(body);
		}
	};

const asItIs = (value: Anything): unknown => value;

const without = (value: Anything, isUnwanted: (key: string) => boolean): Anything =>
	Object.fromEntries(Object.entries(value).filter(([key]) => !isUnwanted(key)));

const isForeign = (key: string): boolean => !['jsonrpc', 'id', 'method', 'params', 'name', 'arguments'].includes(key);

const firstValue = (body: Buffer): unknown => {
	const text = body.toString();
	try {
		return readUnique(body);
	} catch {
		const [, end] = /after JSON at position (\d+)/.exec(syntaxProblem(text)) ?? [];
		return readUnique(Buffer.from(text.slice(0, Number(end))));
	}
};

const syntaxProblem = (text: string): string => {
	try {
		JSON.parse(text);
		return '';
	} catch (error) {
		return String(error);
	}
};

const withoutStrangeBytes = (body: Buffer): unknown =>
	readUnique(Buffer.from(body.toString().replaceAll('\ufffd', '?')));

const isMarked = (body: Buffer): boolean => body[0] === 0xef || body[0] === 0xff || body[0] === 0xfe;

/** The gate, each time with one thing that it must refuse and does not. */
const brokenGates: Readonly<Record<string, (body: Buffer) => Fate>> = {
	'takes the last of repeated keys': after(asItIs, (body) => JSON.parse(body.toString())),
	'knows no look-alikes': after((value) => {
		const message = without(value, isForeign);
		return {...message, ...(message.params && {params: without(message.params, isForeign)})};
	}),
	'passes what a byte order mark begins': (body) => (isMarked(body) ? 'passed' : fateOf(body)),
	'ends with the first value': after(asItIs, firstValue),
	'reads over bytes that are no UTF-8': after(asItIs, withoutStrangeBytes),
	'judges the first message of a batch': after((value) => (Array.isArray(value) ? value[0] : value)),
	'passes notifications': after((value) => (value.id === undefined ? {...value, method: 'ping', id: 1} : value)),
	'passes methods nobody knows': (body) =>
		fateOf(body, {...rules, allowed_methods: {includes: () => true} as unknown as string[]}),
	'takes what is a call and an answer for an answer': after((value) =>
		'result' in value ? without(value, (key) => key === 'method') : value,
	),
	'inherits nothing': after((value) => without(value, (key) => key === '__proto__')),
};

const bodies = 20_000;
/** How often a broken gate is caught before it is believed. */
const enough = 3;

test('[PRX-044] of 20,000 mutated bodies none passes that any lenient reader takes for the gated call', (t) => {
	const fates: Record<Fate, number> = {refused: 0, held: 0, passed: 0};
	const caught = new Map(Object.keys(brokenGates).map((name) => [name, 0]));
	let alive = 0;
	fc.assert(
		fc.property(mutatedBody, (body) => {
			const fate = fateOf(body);
			fates[fate] += 1;
			if (!isAlive(body)) return true;
			alive += 1;
			for (const [name, times] of caught)
				if (times < enough && brokenGates[name]?.(body) === 'passed') caught.set(name, times + 1);
			return fate !== 'passed';
		}),
		{numRuns: bodies, seed: 3, endOnFailure: false},
	);
	t.log(`${alive} of ${bodies} bodies are alive; ${JSON.stringify(fates)}`);
	t.true(alive >= bodies / 3);
	t.true(fates.passed >= bodies / 50);
	t.deepEqual(
		[...caught].filter(([, times]) => times < enough),
		[],
	);
});

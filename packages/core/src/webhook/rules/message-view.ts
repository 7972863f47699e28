import {decodeText} from '../../values/bytes-text.ts';
import type {FieldPath} from '../../values/field-path.ts';
import {parseLosslessJson} from '../../values/parse-json.ts';
import type {HeaderField, WebhookMessage} from '../model/message.ts';
import {whyNoJson} from './unreadable-body.ts';

/** What the body is as JSON: a value, or none, and why. */
export type JsonBody = Readonly<{ok: true; value: unknown}> | Readonly<{ok: false; because: string}>;

/** A message as conditions and templates read it; what costs something is done when it is asked for, once. */
export type MessageView = Readonly<{
	message: WebhookMessage;
	/** The body as UTF-8; what is none is replaced. */
	bodyText(): string;
	json(): JsonBody;
	/** The text of each node that the path selects: none when nothing is there. */
	select(path: FieldPath): readonly string[];
	/** How people are told that nothing is there, with the reason where the body cannot be read. */
	absence(path: FieldPath): string;
}>;

const once = <T>(make: () => T): (() => T) => {
	let made: Readonly<{value: T}> | undefined;
	return () => {
		made ??= {value: make()};
		return made.value;
	};
};

/** Some senders put it before their JSON. It is no part of it, and stays where it is. */
export const byteOrderMark = /^\ufeff/;

const tooDeep = 'the body is nested too deeply';

/** The engine's own words for that would help nobody. */
const unlessTooDeep = <T>(run: () => T): T => {
	try {
		return run();
	} catch (error) {
		if (error instanceof RangeError) throw new RangeError(tooDeep);
		throw error;
	}
};

const readJson = (text: string, message: WebhookMessage): JsonBody => {
	try {
		return {ok: true, value: unlessTooDeep(() => parseLosslessJson(text.replace(byteOrderMark, '')))};
	} catch (error) {
		if (error instanceof SyntaxError) return {ok: false, because: whyNoJson(message)};
		throw error;
	}
};

/** Levels of a node that is written as JSON: the engine looks for cycles, in a time that grows with their square. */
const mostLevels = 100;

const isDeeperThan = (levels: number, value: unknown): boolean =>
	typeof value === 'object' &&
	value !== null &&
	(levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));

/** Scalars as their JSON text without quotes, everything else as compact JSON. */
const textOf = (node: unknown): string => {
	if (typeof node === 'string') return node;
	if (isDeeperThan(mostLevels, node)) throw new RangeError(tooDeep);
	return JSON.stringify(node);
};

/** Characters of all nodes that a path selects: where it selects a value and what is in it, each is written anew. */
const mostText = 2 * 1024 * 1024;

const textsOf = (nodes: readonly unknown[]): readonly string[] => {
	let left = mostText;
	return nodes.map((node) => {
		const text = textOf(node);
		left -= text.length;
		if (left < 0) throw new RangeError(`the path selects more than ${mostText} characters of the body`);
		return text;
	});
};

const member = (value: unknown, step: string): unknown => {
	if (typeof value !== 'object' || value === null) return undefined;
	return Object.hasOwn(value, step) && !(Array.isArray(value) && step === 'length')
		? (value as Readonly<Record<string, unknown>>)[step]
		: undefined;
};

const valuesOf = (headers: readonly HeaderField[], name: string): readonly string[] =>
	headers.filter(([field]) => field.toLowerCase() === name).map(([, value]) => value);

const selectInBody = (json: JsonBody, path: Extract<FieldPath, {kind: 'body' | 'json_path'}>): readonly string[] => {
	if (!json.ok) return [];
	if (path.kind === 'json_path') return textsOf(path.path.select(json.value));
	const node = path.steps.reduce(member, json.value);
	return node === undefined ? [] : [textOf(node)];
};

const readsJson = (path: FieldPath): boolean =>
	path.kind === 'json_path' || (path.kind === 'body' && path.steps.length > 0);

export const viewMessage = (message: WebhookMessage): MessageView => {
	const bodyText = once(() => decodeText(message.body));
	const json = once(() => readJson(bodyText(), message));
	return {
		message,
		bodyText,
		json,
		absence: (path) => {
			const body = readsJson(path) ? json() : undefined;
			return body === undefined || body.ok ? 'is not there' : `is not there (${body.because})`;
		},
		select: (path) => {
			switch (path.kind) {
				case 'header':
					return valuesOf(message.headers, path.name);
				case 'query':
					return new URLSearchParams(message.query).getAll(path.name);
				case 'method':
					return [message.method];
				case 'body':
					if (path.steps.length === 0) return message.body.length === 0 ? [] : [bodyText()];
					return selectInBody(json(), path);
				case 'json_path':
					return selectInBody(json(), path);
			}
		},
	};
};

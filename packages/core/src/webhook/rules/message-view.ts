import type {FieldPath} from '../../values/field-path.ts';
import {parseLosslessJson} from '../../values/parse-json.ts';
import type {HeaderField, WebhookMessage} from '../model/message.ts';

/** What the body is as JSON: a value, or none. */
export type JsonBody = Readonly<{ok: true; value: unknown}> | Readonly<{ok: false}>;

/** A message as conditions and templates read it; what costs something is done when it is asked for, once. */
export type MessageView = Readonly<{
	message: WebhookMessage;
	/** The body as UTF-8; what is none is replaced. */
	bodyText(): string;
	json(): JsonBody;
	/** The text of each node that the path selects: none when nothing is there. */
	select(path: FieldPath): readonly string[];
}>;

const once = <T>(make: () => T): (() => T) => {
	let made: Readonly<{value: T}> | undefined;
	return () => {
		made ??= {value: make()};
		return made.value;
	};
};

const decoder = new TextDecoder('utf-8', {ignoreBOM: true});

const readJson = (text: string): JsonBody => {
	try {
		return {ok: true, value: parseLosslessJson(text)};
	} catch (error) {
		if (error instanceof SyntaxError) return {ok: false};
		throw error;
	}
};

/** Scalars as their JSON text without quotes, everything else as compact JSON. */
const textOf = (node: unknown): string => (typeof node === 'string' ? node : JSON.stringify(node));

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
	if (path.kind === 'json_path') return path.path.select(json.value).map(textOf);
	const node = path.steps.reduce(member, json.value);
	return node === undefined ? [] : [textOf(node)];
};

export const viewMessage = (message: WebhookMessage): MessageView => {
	const bodyText = once(() => decoder.decode(message.body));
	const json = once(() => readJson(bodyText()));
	return {
		message,
		bodyText,
		json,
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

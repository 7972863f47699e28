import {utf8} from '../../values/bytes-text.ts';
import {fillTemplate, limitFilling} from '../../values/template.ts';
import {unresolvedMessage} from '../../values/unresolved-message.ts';
import type {EnvValues} from '../model/env-values.ts';
import type {EnvReference, ReferencingText} from '../model/message.ts';

/** A reference that has no value. The message names key and reason, never a value. */
export class UnresolvedReference extends Error {
	override readonly name = 'UnresolvedReference';
}

export const tooLong = (key: string): UnresolvedReference =>
	new UnresolvedReference(unresolvedMessage({key, use: 'webhook', because: 'too_long'}));

/** What this webhook, or a variable, makes impossible. Anything else is a fault of ours. */
export const isExpected = (error: unknown): error is RangeError | SyntaxError | UnresolvedReference =>
	error instanceof RangeError || error instanceof SyntaxError || error instanceof UnresolvedReference;

/**
 * Stand-ins for references while a webhook goes through its pipeline. Only configuration is a template: a stand-in holds a
 * nonce that no sender can know, so what a sender sends is never taken for one, and no value is ever written into what is
 * stored or shown.
 */
export type EnvMarkers = Readonly<{
	/** Configuration text with a stand-in for each reference. */
	mark(template: string): string;
	/** As people see it: `{{env.KEY}}` for each stand-in. */
	show(text: string): string;
	/** With values, escaped where they stand in JSON, to be compared in memory. @throws UnresolvedReference */
	resolve(text: string): string;
	/** As it is stored: without stand-ins, and where the values go. */
	extract(text: string): ReferencingText;
}>;

/** @throws UnresolvedReference */
export const valueAt = (values: EnvValues, key: string): string => {
	const found = values.get(key);
	if (found !== undefined && 'value' in found) return found.value;
	throw new UnresolvedReference(found?.because ?? `The variable ${key} was not looked up.`);
};

/** The value as it stands in that place. @throws UnresolvedReference */
export const valueAs = (values: EnvValues, {key, as}: Pick<EnvReference, 'key' | 'as'>): string => {
	const value = valueAt(values, key);
	return as === 'json' ? JSON.stringify(value).slice(1, -1) : value;
};

/**
 * Between nonce and key: a character that JSON escapes. So whatever writes a stand-in into JSON, or reads it from there,
 * tells by the way where it stands.
 */
const separator = '\u001f';

type Nonce = Readonly<{text: string; marker: RegExp}>;

const nonceOf = (text: string): Nonce => ({
	text,
	marker: new RegExp(`${text}(\\\\+u001f|${separator})([A-Za-z_][A-Za-z0-9_]*);`, 'g'),
});

/**
 * @param drawNonce answers at least 128 random bits as letters and digits, new for each webhook. It is asked when the first
 * stand-in is written: before that no text holds one, and most webhooks meet no reference.
 */
export const createEnvMarkers = (drawNonce: () => string, values: EnvValues): EnvMarkers => {
	let nonce: Nonce | undefined;
	const standIn = (key: string): string => {
		nonce ??= nonceOf(drawNonce());
		return `${nonce.text}${separator}${key};`;
	};
	const placeOf = (parted: string): EnvReference['as'] => (parted === separator ? 'text' : 'json');
	const replace = (text: string, by: (key: string, as: EnvReference['as']) => string): string =>
		nonce !== undefined && text.includes(nonce.text)
			? text.replace(nonce.marker, (_, parted: string, key: string) => by(key, placeOf(parted)))
			: text;
	return {
		mark: (template) => fillTemplate(template, standIn),
		show: (text) => replace(text, (key) => `{{env.${key}}}`),
		resolve: (text) => {
			const limited = limitFilling(tooLong);
			return replace(text, (key, as) => limited(key, valueAs(values, {key, as})));
		},
		extract: (text) => {
			if (nonce === undefined) return {text, references: []};
			const references: EnvReference[] = [];
			const plain: string[] = [];
			let at = 0;
			let copied = 0;
			for (const {index, 0: found, 1: parted = '', 2: key = ''} of text.matchAll(nonce.marker)) {
				const between = text.slice(copied, index);
				plain.push(between);
				// What came before is not measured again: a template may hold thousands.
				at += utf8(between).length;
				copied = index + found.length;
				references.push({at, key, as: placeOf(parted)});
			}
			return {text: [...plain, text.slice(copied)].join(''), references};
		},
	};
};

import {decodeText, joinBytes, utf8} from '../../values/bytes-text.ts';
import {mask} from '../../values/mask.ts';
import type {DeliveryAnswer} from '../model/delivery-exchange.ts';
import type {EnvValues} from '../model/env-values.ts';

/** A value that may be found in an answer, and what is shown in its place. */
type Concealed = Readonly<{form: string; shown: string}>;

/** Shorter values are found where they do not stand. Characters. */
const shortest = 6;

/** As it is, and as it stands in JSON and in a URL. */
const formsOf = (value: string): ReadonlySet<string> =>
	new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())]);

const concealedAs = (value: string, shown: string): readonly Concealed[] =>
	Array.from(formsOf(value), (form) => ({form, shown}));

const concealedOf = (values: EnvValues, secrets: readonly string[]): readonly Concealed[] =>
	[...values]
		.flatMap(([key, found]) => ('value' in found ? concealedAs(found.value, `{{env.${key}}}`) : []))
		.concat(secrets.flatMap((secret) => concealedAs(secret, mask)))
		.filter(({form}) => form.length >= shortest)
		// One that holds another goes first.
		.sort((a, b) => b.form.length - a.form.length);

/**
 * Of each beginning of a form, how long its longest other beginning is that it ends with (Knuth, Morris and Pratt): so no byte
 * of an answer is looked at again, whatever a destination answers to hold up whoever reads it.
 */
const fallbacksOf = (form: Uint8Array): Uint32Array => {
	const fallbacks = new Uint32Array(form.length + 1);
	let length = 0;
	for (let at = 1; at < form.length; at += 1) {
		while (length > 0 && form[at] !== form[length]) length = fallbacks[length] ?? 0;
		if (form[at] === form[length]) length += 1;
		fallbacks[at + 1] = length;
	}
	return fallbacks;
};

/** Where a form stands, without overlaps, and where it begins and is cut off by the end. */
const placesOf = (bytes: Uint8Array, form: Uint8Array): readonly number[] => {
	const places: number[] = [];
	const [first = 0] = form;
	let at = bytes.indexOf(first);
	if (at === -1) return places;
	const fallbacks = fallbacksOf(form);
	let length = 0;
	while (at < bytes.length) {
		while (length > 0 && bytes[at] !== form[length]) length = fallbacks[length] ?? 0;
		if (bytes[at] === form[length]) length += 1;
		at += 1;
		if (length === form.length) {
			places.push(at - length);
			length = 0;
		}
	}
	return length >= shortest ? [...places, at - length] : places;
};

const inBytes = (bytes: Uint8Array, form: Uint8Array, shown: Uint8Array): Uint8Array => {
	const places = placesOf(bytes, form);
	if (places.length === 0) return bytes;
	const parts: Uint8Array[] = [];
	let copied = 0;
	for (const at of places) {
		parts.push(bytes.subarray(copied, at), shown);
		copied = Math.min(at + form.length, bytes.length);
	}
	return joinBytes([...parts, bytes.subarray(copied)]);
};

const concealIn = (bytes: Uint8Array, concealed: readonly Concealed[]): Uint8Array =>
	concealed.reduce((left, {form, shown}) => inBytes(left, utf8(form), utf8(shown)), bytes);

/**
 * An answer without the values that the request held: a destination that echoes them does not get them into a record.
 * @param secrets What else the request held that nobody may read.
 */
export const concealValues = (
	answer: DeliveryAnswer,
	values: EnvValues,
	secrets: readonly string[] = [],
): DeliveryAnswer => {
	const concealed = concealedOf(values, secrets);
	if (concealed.length === 0) return answer;
	return {
		...answer,
		headers: Object.fromEntries(
			Object.entries(answer.headers).map(([name, value]) => [name, decodeText(concealIn(utf8(value), concealed))]),
		),
		body: concealIn(answer.body, concealed),
	};
};

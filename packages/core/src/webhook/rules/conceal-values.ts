import {joinBytes, utf8} from '../../values/bytes-text.ts';
import {mask} from '../../values/mask.ts';
import type {DeliveryAnswer} from '../model/delivery-exchange.ts';
import type {EnvValues} from './env-markers.ts';

/** A value that may be found in an answer, and what is shown in its place. */
type Concealed = Readonly<{form: string; shown: string}>;

/** Shorter values are found where they do not stand. Characters. */
const shortest = 6;

/** As it is, and as it stands in JSON and in a URL. */
const formsOf = (value: string): readonly string[] => [
	value,
	JSON.stringify(value).slice(1, -1),
	encodeURIComponent(value.toWellFormed()),
];

const concealedAs = (value: string, shown: string): readonly Concealed[] =>
	formsOf(value).map((form) => ({form, shown}));

const concealedOf = (values: EnvValues, secrets: readonly string[]): readonly Concealed[] =>
	[...values]
		.flatMap(([key, found]) => ('value' in found ? concealedAs(found.value, `{{env.${key}}}`) : []))
		.concat(secrets.flatMap((secret) => concealedAs(secret, mask)))
		.filter(({form}) => form.length >= shortest)
		// One that holds another goes first.
		.sort((a, b) => b.form.length - a.form.length);

/** Whether a form stands there, or begins there and is cut off by the end. */
const standsAt = (bytes: Uint8Array, form: Uint8Array, at: number): boolean => {
	for (let index = 0; index < form.length; index += 1) {
		if (at + index === bytes.length) return index >= shortest;
		if (bytes[at + index] !== form[index]) return false;
	}
	return true;
};

const inBytes = (bytes: Uint8Array, form: Uint8Array, shown: Uint8Array): Uint8Array => {
	const parts: Uint8Array[] = [];
	let copied = 0;
	const [first = 0] = form;
	for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at)) {
		if (standsAt(bytes, form, at)) {
			parts.push(bytes.subarray(copied, at), shown);
			at += form.length;
			copied = Math.min(at, bytes.length);
		} else at += 1;
	}
	return parts.length === 0 ? bytes : joinBytes([...parts, bytes.subarray(copied)]);
};

const inText = (text: string, concealed: readonly Concealed[]): string =>
	concealed.reduce((left, {form, shown}) => left.replaceAll(form, () => shown), text);

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
			Object.entries(answer.headers).map(([name, value]) => [name, inText(value, concealed)]),
		),
		body: concealed.reduce((left, {form, shown}) => inBytes(left, utf8(form), utf8(shown)), answer.body),
	};
};

import {joinBytes, utf8} from '../../values/bytes-text.ts';
import {fillTemplate, limitFilling} from '../../values/template.ts';
import type {EnvValues} from '../model/env-values.ts';
import type {ReferencingBytes, ReferencingText} from '../model/message.ts';
import {tooLong, valueAs, valueAt} from './env-markers.ts';

/** Bytes with each value at its place; the very same ones when there is none. @throws UnresolvedReference */
export const fillBytes = ({bytes, references}: ReferencingBytes, values: EnvValues): Uint8Array => {
	if (references.length === 0) return bytes;
	const limited = limitFilling(tooLong);
	const parts: Uint8Array[] = [];
	let copied = 0;
	for (const reference of references) {
		const value = limited(reference.key, valueAs(values, reference));
		parts.push(bytes.subarray(copied, reference.at), utf8(value));
		copied = reference.at;
	}
	return joinBytes([...parts, bytes.subarray(copied)]);
};

/** The same of a text. @throws UnresolvedReference */
export const fillText = ({text, references}: ReferencingText, values: EnvValues): string =>
	references.length === 0 ? text : new TextDecoder().decode(fillBytes({bytes: utf8(text), references}, values));

/** Configuration text with its references replaced. @throws UnresolvedReference */
export const fillConfiguration = (template: string, values: EnvValues): string => {
	const limited = limitFilling(tooLong);
	return fillTemplate(template, (key) => limited(key, valueAt(values, key)));
};

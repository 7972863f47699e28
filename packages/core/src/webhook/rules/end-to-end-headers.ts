import {namedByConnection} from '../../values/request-headers.ts';
import type {HeaderField} from '../model/message.ts';

const isConnection = ([name]: HeaderField): boolean => name.toLowerCase() === 'connection';

/**
 * Headers without those that their sender says are for its own connection (RFC 9110, 7.6.1).
 * @param left what a pipeline made of them: a field of its own stays, whatever the sender named.
 */
export const endToEndHeaders = (received: readonly HeaderField[], left = received): readonly HeaderField[] => {
	const connection = received.filter(isConnection);
	if (connection.length === 0) return left;
	const named = new Set(['connection', ...connection.flatMap(([, value]) => namedByConnection(value))]);
	const dropped = new Set(received.filter(([name]) => named.has(name.toLowerCase())));
	return left.filter((field) => !dropped.has(field));
};

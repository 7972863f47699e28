import {hops} from '../../values/request-headers.ts';
import type {HeaderField} from '../model/message.ts';
import type {PublicVerification} from '../model/verification.ts';

/** The header, in small letters, that holds a secret which the sender shows as it is; undefined where the body is signed instead. */
const credentialHeader = ({type, header}: PublicVerification): string | undefined => {
	if (type === 'basic') return 'authorization';
	return type === 'api_key' ? String(header).toLowerCase() : undefined;
};

/**
 * What is left of a webhook's headers once its sender is known. Who reads the event, or receives it, could show the
 * credential again and be taken for the sender; a signature proves nothing of any other body, and stays.
 */
export const withoutCredential = (
	verification: PublicVerification,
	headers: readonly HeaderField[],
): readonly HeaderField[] => {
	const credential = credentialHeader(verification);
	// A count proves nobody, and without it a webhook could go round for ever.
	const isCount = ([name, value]: HeaderField) => name.toLowerCase() === hops.header && hops.of(value) > 0;
	return credential === undefined
		? headers
		: headers.filter((field) => field[0].toLowerCase() !== credential || isCount(field));
};

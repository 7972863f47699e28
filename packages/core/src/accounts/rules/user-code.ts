/** No vowels, which would spell words, and nothing that looks like a digit (RFC 8628, 6.1). */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';

/** Eight letters out of random base64url text, as `BCDF-GHJK`; undefined when it holds too few of them. */
export const userCodeOf = (random: string): string | undefined => {
	const letters = [...random].filter((letter) => alphabet.includes(letter)).join('');
	return letters.length < 8 ? undefined : `${letters.slice(0, 4)}-${letters.slice(4, 8)}`;
};

/** The bytes of a text of a scenario: UTF-8, in which `\xHH` is that byte and `{x*9}` nine times that character. */
export const bytesOf = (text: string): Buffer => {
	const latin1 = Buffer.from(text).toString('latin1');
	const unescaped = latin1
		.replaceAll(/\\x([0-9a-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
		.replaceAll(/\{(.)\*(\d+)\}/g, (_, character: string, times) => character.repeat(Number(times)));
	return Buffer.from(unescaped, 'latin1');
};

const encoder = new TextEncoder();

// A byte order mark is part of what was sent: it is kept.
const decoder = new TextDecoder('utf-8', {ignoreBOM: true});

/** Bytes as people read them: what is no UTF-8 becomes U+FFFD. */
export const decodeText = (bytes: Uint8Array): string => decoder.decode(bytes);

/** The last bytes as text, at most so many, beginning with a whole character. */
export const lastText = (bytes: Uint8Array, most: number): string => {
	const cut = Math.max(0, bytes.length - most);
	const end = bytes.subarray(cut);
	// A character is followed by up to three bytes that continue it, 10xxxxxx.
	const begins = cut === 0 ? 0 : end.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
	return decodeText(end.subarray(Math.max(0, begins)));
};

/** Bytes as text and back. What is malformed reads as undefined. */
export const utf8 = (text: string): Uint8Array => encoder.encode(text);

export const toHex = (bytes: Uint8Array): string =>
	Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const fromHex = (text: string): Uint8Array | undefined => {
	if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return undefined;
	const bytes = new Uint8Array(text.length / 2);
	for (let at = 0; at < bytes.length; at += 1) bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
	return bytes;
};

export const toBase64 = (bytes: Uint8Array): string => {
	let characters = '';
	for (const byte of bytes) characters += String.fromCharCode(byte);
	return btoa(characters);
};

export const fromBase64 = (text: string): Uint8Array | undefined => {
	if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
	try {
		return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
	} catch {
		return undefined;
	}
};

export const joinBytes = (parts: readonly Uint8Array[]): Uint8Array => {
	const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
};

/** Of base64url without padding. */
export const fromBase64Url = (text: string): Uint8Array | undefined =>
	fromBase64(
		text
			.replaceAll('-', '+')
			.replaceAll('_', '/')
			.padEnd(Math.ceil(text.length / 4) * 4, '='),
	);

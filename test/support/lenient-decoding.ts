/** UTF-16 of the other byte order. */
export const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();

const decodeUtf32 = (bytes: Buffer, big: boolean): string =>
	Array.from({length: bytes.length >> 2}, (_, at) => (big ? bytes.readUInt32BE(at * 4) : bytes.readUInt32LE(at * 4)))
		.map((point) => (point <= 0x10ffff ? String.fromCodePoint(point) : ''))
		.join('');

/** RFC 8259 as of RFC 4627, section 3: the pattern of zero bytes says which encoding it is. */
export const decodeBySniffing = (bytes: Buffer): string => {
	const [first, second, third, fourth] = bytes;
	if (first === 0 && second === 0) return decodeUtf32(bytes, true);
	if ((second === 0 && third === 0) || (first === 0xff && third === 0 && fourth === 0))
		return decodeUtf32(bytes, false);
	if (first === 0 || first === 0xfe) return swapped(bytes).toString('utf16le');
	return second === 0 || first === 0xff ? bytes.toString('utf16le') : bytes.toString('utf8');
};

/** As decoders did before overlong forms were forbidden. */
export const decodeOverlong = (bytes: Buffer): string =>
	bytes
		.toString('latin1')
		.replace(/\xe0([\x80-\xbf])([\x80-\xbf])/g, (_, a: string, b: string) =>
			String.fromCharCode(((a.charCodeAt(0) & 63) << 6) | (b.charCodeAt(0) & 63)),
		)
		.replace(/([\xc0\xc1])([\x80-\xbf])/g, (_, a: string, b: string) =>
			String.fromCharCode(((a.charCodeAt(0) & 31) << 6) | (b.charCodeAt(0) & 63)),
		);

import {generateKeyPairSync, sign} from 'node:crypto';

/** One value in DER: a tag, how long it is, and what is in it. */
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
	const content = Buffer.concat(parts);
	const {length} = content;
	if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content]);
	const bytes = Buffer.from(length.toString(16).padStart(length > 255 ? 4 : 2, '0'), 'hex');
	return Buffer.concat([Buffer.from([tag, 128 + bytes.length]), bytes, content]);
};

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const ecdsaWithSha256 = sequence(der(0x06, bytes('2a8648ce3d040302')));
const commonName = sequence(der(0x31, sequence(der(0x06, bytes('550403')), der(0x0c, Buffer.from('signalbox test')))));
const instant = (text: string): Buffer => der(0x18, Buffer.from(text));
const alwaysValid = sequence(instant('20000101000000Z'), instant('21000101000000Z'));

/** Names that the certificate is for: `localhost` and 127.0.0.1 (RFC 5280, 4.2.1.6). */
const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
const extensions = der(0xa3, sequence(sequence(der(0x06, bytes('551d11')), der(0x04, names))));

const pem = (label: string, content: Buffer): string =>
	`-----BEGIN ${label}-----\n${content.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`;

/** A certificate for this machine that vouches for itself, made anew (X.509 version 3, RFC 5280), and its key. */
export const makeCertificate = (): Readonly<{certificate: string; key: string}> => {
	const {publicKey, privateKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'});
	const body = sequence(
		der(0xa0, der(0x02, bytes('02'))),
		der(0x02, bytes('01')),
		ecdsaWithSha256,
		commonName,
		alwaysValid,
		commonName,
		publicKey.export({type: 'spki', format: 'der'}),
		extensions,
	);
	const signature = der(0x03, bytes('00'), sign('sha256', body, privateKey));
	return {
		certificate: pem('CERTIFICATE', sequence(body, ecdsaWithSha256, signature)),
		key: privateKey.export({type: 'pkcs8', format: 'pem'}).toString(),
	};
};

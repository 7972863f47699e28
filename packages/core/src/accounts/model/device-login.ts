import {z} from 'zod';
import type {Instant} from '../../values/instant.ts';
import {nameText, printableText} from '../../values/text.ts';

/** Nothing but a path of this machine's own: what goes to any other host would hand the code to somebody else. */
const loopbackCallback = /^http:\/\/127\.0\.0\.1(?::[0-9]{1,5})?(?:\/[A-Za-z0-9._~/-]{0,200})?$/;

const isCallback = (text: string): boolean => text === '' || (loopbackCallback.test(text) && URL.canParse(text));

export const deviceLoginRequestSchema = z.strictObject({
	/** PKCE, S256 (RFC 7636). */
	code_challenge: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be the SHA-256 of the verifier, as base64url'),
	/** Where the browser brings the code. Empty: the page shows it, to be pasted. */
	redirect_uri: z.string().refine(isCallback, 'must be http://127.0.0.1 with a port and a path, or empty'),
	/** Comes back with the code as it is. */
	state: z
		.string()
		.max(512)
		.regex(/^[\x20-\x7e]*$/, 'must be printable ASCII'),
	/** Names the API key. */
	device_name: printableText(nameText),
});
export type DeviceLoginRequest = z.infer<typeof deviceLoginRequestSchema>;

/** A device that waits for somebody to confirm, in a browser, that it may act for them. */
export type DeviceLogin = DeviceLoginRequest &
	Readonly<{
		id: string;
		/** For people: the page and the device show the same. */
		user_code: string;
		created_at: Instant;
		expires_at: Instant;
	}>;

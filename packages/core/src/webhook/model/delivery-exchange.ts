import type {HeaderField} from './message.ts';

/** What goes to a destination. Framing (`host`, `content-length`, ...) is the connection's, so no header says it. */
export type DeliveryRequest = Readonly<{
	method: string;
	url: URL;
	headers: readonly HeaderField[];
	body: Uint8Array;
}>;

/** What a destination answered. */
export type DeliveryAnswer = Readonly<{
	status_code: number;
	/** By name in small letters, repeated ones joined. */
	headers: Readonly<Record<string, string>>;
	/** The first 64 KiB as they came: never decompressed. */
	body: Uint8Array;
}>;

/** Why an attempt failed without a whole answer. `unresolved`: a reference has no value, so nothing was sent. */
export type DeliveryErrorCode = 'timeout' | 'unreachable' | 'blocked' | 'reset' | 'tls' | 'bad_answer' | 'unresolved';

export type DeliveryFailure = Readonly<{
	error_code: DeliveryErrorCode;
	/** As far as it came. */
	answer: DeliveryAnswer | null;
}>;

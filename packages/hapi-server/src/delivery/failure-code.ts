import type {DeliveryErrorCode} from '@signalbox/core';
import {errors} from 'undici';
import {BlockedAddressError} from '../outbound/ssrf-guard.ts';

/** What OpenSSL and Node say of certificates and handshakes. */
const tls =
	/^(EPROTO$|ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/;

const byCode: Readonly<Record<string, DeliveryErrorCode>> = {
	ECONNRESET: 'reset',
	EPIPE: 'reset',
	ETIMEDOUT: 'timeout',
	UND_ERR_SOCKET: 'reset',
	UND_ERR_HEADERS_OVERFLOW: 'bad_answer',
	UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'bad_answer',
};

const isLate = (error: Error): boolean =>
	error instanceof errors.ConnectTimeoutError ||
	error instanceof errors.HeadersTimeoutError ||
	error instanceof errors.BodyTimeoutError;

/** Why a request failed, from what undici or Node said of it. What never got as far as a connection is unreachable. */
export const failureCodeOf = (error: Error & Readonly<{code?: unknown}>): DeliveryErrorCode => {
	if (error instanceof BlockedAddressError) return 'blocked';
	if (isLate(error)) return 'timeout';
	if (error instanceof errors.HTTPParserError) return 'bad_answer';
	const code = typeof error.code === 'string' ? error.code : '';
	return byCode[code] ?? (tls.test(code) ? 'tls' : 'unreachable');
};

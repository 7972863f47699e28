import {createSecretKey, type KeyObject} from 'node:crypto';
import {decodeJwt, errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT} from 'jose';
import type {AccessClaims, AccessTokens} from '../ports/index.ts';
import {type Instant, instantOf, millisecondsOf} from '../values/instant.ts';
import {type KeyRing, newestKey} from './key-ring.ts';

const algorithm = 'HS256';

/** A NumericDate may have a fraction (RFC 7519, section 2): milliseconds survive, and so does an exact expiry. */
const numericDateOf = (instant: Instant): number => millisecondsOf(instant) / 1000;

const instantOfNumericDate = (seconds: number): Instant => instantOf(Math.round(seconds * 1000));

const claimsOf = ({sub = '', iat = 0, exp = 0}: JWTPayload): AccessClaims => ({
	user_id: sub,
	issued_at: instantOfNumericDate(iat),
	expires_at: instantOfNumericDate(exp),
});

/** Access tokens as JWTs: HS256 and nothing else, `kid` in the header. @throws Error for an empty ring. */
export const createAccessTokens = ({keys, issuer}: Readonly<{keys: KeyRing; issuer: string}>): AccessTokens => {
	const newest = newestKey(keys);
	const byKid = new Map<string, KeyObject>(keys.map(({kid, key}) => [kid, createSecretKey(key)]));
	const keyOf = ({kid}: {kid?: string | undefined}): KeyObject => {
		const key = kid === undefined ? undefined : byKid.get(kid);
		if (key === undefined) throw new errors.JWKSNoMatchingKey();
		return key;
	};
	const header: JWTHeaderParameters = {alg: algorithm, kid: newest.kid, typ: 'JWT'};

	return {
		sign: ({user_id, issued_at, expires_at}) =>
			new SignJWT({})
				.setProtectedHeader(header)
				.setIssuer(issuer)
				.setSubject(user_id)
				.setIssuedAt(numericDateOf(issued_at))
				.setExpirationTime(numericDateOf(expires_at))
				.sign(keyOf(newest)),
		verify: async (token, now) => {
			try {
				const {payload} = await jwtVerify(token, keyOf, {
					algorithms: [algorithm],
					issuer,
					requiredClaims: ['sub', 'iat', 'exp'],
					currentDate: new Date(now),
				});
				const claims = claimsOf(payload);
				// jose compares whole seconds.
				return claims.expires_at <= now ? 'expired' : claims;
			} catch (error) {
				return error instanceof errors.JWTExpired ? 'expired' : 'invalid';
			}
		},
		isOurs: (token) => {
			try {
				return decodeJwt(token).iss === issuer;
			} catch {
				return false;
			}
		},
	};
};

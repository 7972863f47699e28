import {createAccessTokens, generateKey} from '@signalbox/core/node';
import test from 'ava';
import {decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT} from 'jose';

const older = generateKey('older');
const newer = generateKey('newer');
const issuer = 'https://signalbox.example';
const tokens = createAccessTokens({keys: [newer, older], issuer});
const claims = {
	user_id: '0198c0de-0000-7000-8000-000000000001',
	issued_at: '2026-01-31T09:30:00.123Z',
	expires_at: '2026-01-31T09:45:00.123Z',
};
const during = '2026-01-31T09:40:00.000Z';
const seconds = (instant: string) => Date.parse(instant) / 1000;

const forged = (kid: string, alg: string, iss = issuer) =>
	new SignJWT({})
		.setProtectedHeader({alg, kid})
		.setIssuer(iss)
		.setSubject(claims.user_id)
		.setIssuedAt(seconds(claims.issued_at))
		.setExpirationTime(seconds(claims.expires_at));

test('[ACC-044] a token is a JWT with a kid header and our issuer', async (t) => {
	const token = await tokens.sign(claims);
	t.deepEqual(decodeProtectedHeader(token), {alg: 'HS256', kid: 'newer', typ: 'JWT'});
	t.is(decodeJwt(token).iss, issuer);
	t.deepEqual(await tokens.verify(token, during), claims);
});

test('the same claims give the same token, others another one', async (t) => {
	t.is(await tokens.sign(claims), await tokens.sign(claims));
	t.not(await tokens.sign(claims), await tokens.sign({...claims, issued_at: '2026-01-31T09:30:00.124Z'}));
});

test('a token holds until its expiry, to the millisecond, by the time given', async (t) => {
	const token = await tokens.sign(claims);
	t.deepEqual(await tokens.verify(token, '2026-01-31T09:45:00.122Z'), claims);
	t.is(await tokens.verify(token, claims.expires_at), 'expired');
	t.is(await tokens.verify(token, '2027-01-01T00:00:00.000Z'), 'expired');
});

test('[ACC-046] a token of an older key holds while the ring has that key', async (t) => {
	const token = await createAccessTokens({keys: [older], issuer}).sign(claims);
	t.deepEqual(await tokens.verify(token, during), claims);
	t.is(await createAccessTokens({keys: [newer], issuer}).verify(token, during), 'invalid');
});

test('[ACC-045] alg none and any other algorithm are refused', async (t) => {
	const unsecured = new UnsecuredJWT({}).setIssuer(issuer).setSubject(claims.user_id);
	t.is(await tokens.verify(unsecured.setIssuedAt().setExpirationTime('1h').encode(), during), 'invalid');
	const sixtyFour = new Uint8Array(64);
	sixtyFour.set(newer.key);
	for (const [alg, key] of [
		['HS384', sixtyFour],
		['HS512', sixtyFour],
	] as const) {
		const ring = [{kid: 'newer', key: sixtyFour}];
		const token = await forged('newer', alg).sign(key);
		t.is(await createAccessTokens({keys: ring, issuer}).verify(token, during), 'invalid');
	}
});

test('a wrong signature, issuer, kid or text is invalid, also when it has expired', async (t) => {
	const [head, body, signature] = (await tokens.sign(claims)).split('.');
	const bad = [
		`${head}.${body}.${'A'.repeat(43)}`,
		`${head}.${body}.`,
		`${head}..${signature}`,
		await forged('newer', 'HS256', 'https://other.example').sign(newer.key),
		await forged('unknown', 'HS256').sign(newer.key),
		await forged('older', 'HS256').sign(newer.key),
		'',
		'sbx_a_b',
		'a.b.c',
	];
	for (const token of bad) {
		t.is(await tokens.verify(token, during), 'invalid');
		t.is(await tokens.verify(token, '2030-01-01T00:00:00.000Z'), 'invalid');
	}
});

test('a JWT with our issuer is ours, valid or not; anything else is not', async (t) => {
	t.true(tokens.isOurs(await tokens.sign(claims)));
	t.true(tokens.isOurs(await forged('unknown', 'HS256').sign(older.key)));
	t.false(tokens.isOurs(await forged('newer', 'HS256', 'https://other.example').sign(newer.key)));
	for (const text of ['', 'a.b.c', 'opaque', '..', '{}']) t.false(tokens.isOurs(text));
});

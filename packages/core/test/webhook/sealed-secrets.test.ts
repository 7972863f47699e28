import {buildEndpoint, createTestCore} from '@signalbox/core/testing';
import test from 'ava';
import {createSignerDirectory} from '../../src/webhook/endpoint-secrets.ts';
import {signingKeyOf} from '../../src/webhook/rules/standard-webhooks.ts';
import {newSigningSecret, sealSigningSecret, withSigningSecret} from '../../src/webhook/sealed-secrets.ts';

test('who rotates again within a day ends no secret that still signs, but for more than three of them', async (t) => {
	const {ports, clock} = createTestCore();
	const secrets = Array.from({length: 6}, () => newSigningSecret(ports.secrets));
	const [first = '', ...next] = secrets;
	const made = buildEndpoint({user_id: 'user', team_id: 'team'});
	let endpoint = {...made, signing_secret: sealSigningSecret(ports.cipher, made, first)};
	const signsNow = async () => {
		const find = createSignerDirectory({...ports, endpoints: {get: async () => endpoint}});
		const keys = (await find({team_id: endpoint.team_id, endpoint_id: endpoint.id}))?.keysAt(clock.now()) ?? [];
		return keys.map((key) => secrets.findIndex((secret) => Buffer.compare(signingKeyOf(secret), key) === 0));
	};
	const signing: (readonly number[])[] = [await signsNow()];
	for (const secret of next) {
		await clock.advance(3600 * 1000);
		endpoint = withSigningSecret(ports, endpoint, secret);
		signing.push(await signsNow());
	}
	t.deepEqual(signing, [[0], [1, 0], [2, 1, 0], [3, 2, 1, 0], [4, 3, 2, 1], [5, 4, 3, 2]]);
	await clock.advance(24 * 3600 * 1000);
	t.deepEqual(await signsNow(), [5]);
	endpoint = withSigningSecret(ports, endpoint, first);
	t.deepEqual(await signsNow(), [0, 5]);
});

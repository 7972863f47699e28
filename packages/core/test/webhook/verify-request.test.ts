import {createHmac} from 'node:crypto';
import test from 'ava';
import {createSignatures} from '../../src/node/index.ts';
import type {HeaderField} from '../../src/webhook/model/message.ts';
import {type Verification, verificationSchema} from '../../src/webhook/model/verification.ts';
import {verifyRequest} from '../../src/webhook/rules/verify-request.ts';

const signatures = createSignatures();
const now = 1_800_000_000;
const body = Buffer.from('{"a": 1}');
const secret = 'a shared secret';

const hex = (content: string | Buffer, algorithm = 'sha256', key: string | Buffer = secret): string =>
	createHmac(algorithm, key).update(content).digest('hex');
const base64 = (content: string | Buffer, key: string | Buffer = secret): string =>
	createHmac('sha256', key).update(content).digest('base64');

const at = (time: number, content = body.toString()) => ({
	slack: hex(`v0:${time}:${content}`),
	stripe: hex(`${time}.${content}`),
	standard: base64(`msg_1.${time}.${content}`, Buffer.from('c2lnbmFsYm94', 'base64')),
});

type Case = Readonly<{
	id: string;
	config: unknown;
	right: readonly HeaderField[];
	wrong: readonly (readonly HeaderField[])[];
}>;

const stripe = (value: string): readonly HeaderField[] => [['Stripe-Signature', value]];
const slack = (time: number, value: string): readonly HeaderField[] => [
	['X-Slack-Request-Timestamp', String(time)],
	['X-Slack-Signature', value],
];
const standard = (time: number, value: string): readonly HeaderField[] => [
	['webhook-id', 'msg_1'],
	['webhook-timestamp', String(time)],
	['webhook-signature', value],
];

const cases: readonly Case[] = [
	{
		id: 'WHK-022',
		config: {type: 'standard_webhooks', secret: 'whsec_c2lnbmFsYm94'},
		right: standard(now, `v1,AAAA v1,${at(now).standard}`),
		wrong: [
			standard(now, `v1a,${at(now).standard}`),
			standard(now - 301, `v1,${at(now - 301).standard}`),
			standard(now + 301, `v1,${at(now + 301).standard}`),
			standard(now - 1, `v1,${at(now).standard}`),
		],
	},
	{
		id: 'WHK-023',
		config: {type: 'github', secret},
		right: [['X-Hub-Signature-256', `sha256=${hex(body)}`]],
		wrong: [[['X-Hub-Signature-256', hex(body)]], [['X-Hub-Signature', `sha1=${hex(body, 'sha1')}`]]],
	},
	{
		id: 'WHK-024',
		config: {type: 'stripe', secret},
		right: stripe(`t=${now},v1=00,v1=${at(now).stripe},v0=x`),
		wrong: [
			stripe(`t=${now},v0=${at(now).stripe}`),
			stripe(`v1=${at(now).stripe}`),
			stripe(`t=${now - 301},v1=${at(now - 301).stripe}`),
			stripe(`t=${now}.0,v1=${at(now).stripe}`),
		],
	},
	{
		id: 'WHK-025',
		config: {type: 'slack', secret},
		right: slack(now, `v0=${at(now).slack}`),
		wrong: [
			slack(now, at(now).slack),
			slack(now - 301, `v0=${at(now - 301).slack}`),
			slack(now - 1, `v0=${at(now).slack}`),
		],
	},
	{
		id: 'WHK-026',
		config: {type: 'shopify', secret},
		right: [['X-Shopify-Hmac-Sha256', base64(body)]],
		wrong: [[['X-Shopify-Hmac-Sha256', hex(body)]]],
	},
	{
		id: 'WHK-027',
		config: {type: 'hmac', secret, header: 'X-Sig', algorithm: 'sha512', prefix: 'sig='},
		right: [['x-sig', `sig=${hex(body, 'sha512')}`]],
		wrong: [[['x-sig', hex(body, 'sha512')]], [['x-sig', `sig=${hex(body)}`]]],
	},
	{
		id: 'WHK-028',
		config: {type: 'basic', username: 'ops', password: 'p:ä'},
		right: [['Authorization', `Basic ${Buffer.from('ops:p:ä').toString('base64')}`]],
		wrong: [
			[['Authorization', `Basic ${Buffer.from('ops:p').toString('base64')}`]],
			[['Authorization', `Bearer ${Buffer.from('ops:p:ä').toString('base64')}`]],
			[['Authorization', 'Basic !']],
		],
	},
	{
		id: 'WHK-029',
		config: {type: 'api_key', key: 'k3y'},
		right: [['X-API-Key', 'k3y']],
		wrong: [[['X-API-Key', 'k3']], [['X-API-Key', 'k3y ']]],
	},
];

const verdict = (config: Verification, headers: readonly HeaderField[], of: Uint8Array = body): boolean =>
	verifyRequest(config, {request: {headers, body: of}, now, signatures}).ok;

for (const {id, config, right, wrong} of cases) {
	const verification = verificationSchema.parse(config);
	test(`[${id}] ${verification.type} accepts what is right and refuses what is wrong, missing or sent twice`, (t) => {
		t.true(verdict(verification, right));
		for (const headers of wrong) t.false(verdict(verification, headers), JSON.stringify(headers));
		for (let left = 0; left < right.length; left += 1) {
			t.false(verdict(verification, right.toSpliced(left, 1)), `without ${right[left]?.[0]}`);
			t.false(verdict(verification, [...right, right[left] as HeaderField]), `${right[left]?.[0]} twice`);
		}
	});
	if (verification.type === 'basic' || verification.type === 'api_key') continue;
	test(`[WHK-030] ${verification.type}: the same JSON in other bytes fails`, (t) => {
		t.false(verdict(verification, right, Buffer.from('{"a":1}')));
	});
}

test('[WHK-021] none accepts any request', (t) => {
	t.true(verdict({type: 'none'}, []));
});

test('a refusal tells no expected value', (t) => {
	for (const {config, wrong} of cases) {
		for (const headers of wrong) {
			const judged = verifyRequest(verificationSchema.parse(config), {request: {headers, body}, now, signatures});
			if (!judged.ok) t.notRegex(judged.because, new RegExp(`${secret}|k3y|p:ä|${hex(body)}`));
		}
	}
});

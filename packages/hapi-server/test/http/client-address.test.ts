import type {IncomingMessage} from 'node:http';
import test from 'ava';
import {createClientAddress} from '../../src/http/client-address.ts';

const request = (remoteAddress: string, forwarded?: string): IncomingMessage =>
	({socket: {remoteAddress}, headers: forwarded === undefined ? {} : {'x-forwarded-for': forwarded}}) as never;

test('[HTTP-083] without trusted proxies the peer is the client, whatever X-Forwarded-For says', (t) => {
	const address = createClientAddress([]);
	t.is(address(request('203.0.113.9', '198.51.100.1')), '203.0.113.9');
	t.is(address(request('127.0.0.1', '198.51.100.1')), '127.0.0.1');
	t.is(address(request('::ffff:192.0.2.7')), '192.0.2.7');
});

test('[HTTP-084] a trusted peer is believed, up to the first address that is not trusted', (t) => {
	const address = createClientAddress(['10.0.0.0/8', 'fd00::/8']);
	t.is(address(request('10.0.0.1', '198.51.100.1')), '198.51.100.1');
	t.is(address(request('10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2')), '198.51.100.1');
	t.is(address(request('fd00::1', '2001:db8::5')), '2001:db8::5');
	t.is(address(request('::ffff:10.0.0.1', '198.51.100.1')), '198.51.100.1');
	t.is(address(request('203.0.113.9', '198.51.100.1')), '203.0.113.9');
});

test('an entry that is no address ends the search: what a client made up is never taken', (t) => {
	const address = createClientAddress(['10.0.0.0/8']);
	t.is(address(request('10.0.0.1', '6.6.6.6, unknown')), '10.0.0.1');
	t.is(address(request('10.0.0.1', '6.6.6.6, unknown, 10.0.0.2')), '10.0.0.2');
	t.is(address(request('10.0.0.1', '')), '10.0.0.1');
});

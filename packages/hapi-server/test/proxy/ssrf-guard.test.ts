import {createServer} from 'node:http';
import test from 'ava';
import {createAddressGuard} from '../../src/proxy/upstream/address-guard.ts';
import {openProxy, post, rpc} from './open-proxy.ts';

const blocked = [
	...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
	...[
		'127.0.0.1',
		'127.255.255.254',
		'168.63.129.16',
		'169.254.169.254',
		'169.254.0.1',
		'172.16.0.1',
		'172.31.255.255',
	],
	...['192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.0.1', '198.18.0.1', '198.19.255.255'],
	...['198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
	...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:10.0.0.1', '0:0:0:0:0:ffff:a9fe:a9fe'],
	...['::ffff:0:127.0.0.1', '64:ff9b::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b::10.0.0.1'],
	...['64:ff9b:1::8.8.8.8', '100::1', '2001::1', '2001:0:7f00:1::', '2001:20::1', '2001:db8::1', '2002:7f00:1::'],
	...[
		'2002:808:808::',
		'3fff::1',
		'5f00::1',
		'fc00::1',
		'fd00:ec2::254',
		'fe80::1',
		'fe80::1%eth0',
		'fec0::1',
		'ff02::1',
	],
	...['2606:4700::1111%lo', 'localhost', '', '1.2.3', 'example.com'],
];

const allowed = [
	...[
		'1.1.1.1',
		'8.8.8.8',
		'100.63.255.255',
		'100.128.0.1',
		'172.15.255.255',
		'172.32.0.1',
		'192.0.1.1',
		'198.17.255.255',
	],
	...[
		'223.255.255.255',
		'2606:4700:4700::1111',
		'2001:4860:4860::8888',
		'2001:200::1',
		'::ffff:8.8.8.8',
		'64:ff9b::8.8.8.8',
	],
];

for (const address of blocked) {
	test(`no connection goes to ${address || 'nothing'}`, (t) => {
		t.false(createAddressGuard([]).allows(address));
	});
}

for (const address of allowed) {
	test(`connections may go to ${address}`, (t) => {
		t.true(createAddressGuard([]).allows(address));
	});
}

test('an operator opens ranges, in whatever form an address comes', (t) => {
	const guard = createAddressGuard(['127.0.0.0/8', '10.1.0.0/16', '192.168.7.7', 'fd00:1::/32', '::1']);
	for (const address of ['127.0.0.1', '::ffff:127.9.9.9', '10.1.255.255', '192.168.7.7', 'fd00:1::9', '::1'])
		t.true(guard.allows(address), address);
	for (const address of ['10.2.0.1', '192.168.7.8', 'fd00:2::1', '64:ff9b::127.0.0.1', '::127.0.0.1', '::2'])
		t.false(guard.allows(address), address);
	for (const text of ['10.0.0.0/', '10.0.0.0/x', '10.0.0.0/33', 'example.com', '', '::/129'])
		t.throws(() => createAddressGuard([text]));
});

test('[PRX-109] upstreams at private addresses are not connected to, however they are written', async (t) => {
	let connected = 0;
	const listener = createServer((_request, response) => void response.writeHead(200, {connection: 'close'}).end());
	listener.on('connection', () => {
		connected += 1;
	});
	await new Promise<void>((listening) => listener.listen(0, '::', listening));
	t.teardown(() => listener.close());
	const {port} = listener.address() as {port: number};
	const hosts = [
		...[
			'127.0.0.1',
			'localhost',
			'[::1]',
			'0.0.0.0',
			'127.1',
			'2130706433',
			'0x7f000001',
			'0177.0.0.1',
			'0x7f.1',
			'127.0.0.1.',
		],
		...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::]', '[0:0:0:0:0:0:0:1]', 'LOCALHOST', '127。0。0。1', '①②⑦.0.0.1'],
	];
	const proxy = await openProxy(t, {settings: {allowed_private_cidrs: []}});
	for (const host of hosts) {
		const server = await proxy.addServer({target_url: `http://${host}:${port}/mcp`});
		const answer = await post(proxy.url(server), rpc('ping'));
		t.is(answer.status, 502, host);
		t.regex(await answer.text(), /not allowed|could not be reached/, host);
	}
	t.is(connected, 0);
	const open = await openProxy(t, {
		settings: {allowed_private_cidrs: ['127.0.0.0/8', '::1/128', '0.0.0.0/32', '::/128']},
	});
	for (const host of hosts) {
		const before = connected;
		await post(open.url(await open.addServer({target_url: `http://${host}:${port}/mcp`})), rpc('ping'));
		t.is(connected, before + 1, `${host} is a case that connects with the guard open`);
	}
});

import {createSocket} from 'node:dgram';
import type {LookupAddress} from 'node:dns';
import test, {type ExecutionContext} from 'ava';
import {until} from '../../../../test/support/mcp/until.ts';
import {createFindAddresses, type FindAddresses} from '../../src/outbound/find-addresses.ts';

type Answers = Readonly<Record<string, Readonly<{ipv4?: readonly number[]; ipv6?: readonly number[]}>>>;

/** The name that a query asks for, its type, and where the question ends. */
const readQuestion = (query: Buffer) => {
	const labels: string[] = [];
	let at = 12;
	for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
		labels.push(query.toString('latin1', at + 1, at + 1 + length));
		at += length + 1;
	}
	return {name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5};
};

/** One record that points back to the name of the question; without an address the name has none. */
const answerTo = (query: Buffer, address: readonly number[] | undefined): Buffer => {
	const {type, end} = readQuestion(query);
	const answer = Buffer.from(query.subarray(0, end));
	answer.writeUInt16BE(0x8180, 2);
	answer.writeUInt16BE(address === undefined ? 0 : 1, 6);
	answer.writeUInt32BE(0, 8);
	if (address === undefined) return answer;
	return Buffer.concat([answer, Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length, ...address])]);
};

/** A name server that has these answers; questions for other names wait until the release. */
const openNameServer = async (t: ExecutionContext, answers: Answers) => {
	const asked: string[] = [];
	const held: (() => void)[] = [];
	const socket = createSocket('udp4');
	socket.on('message', (query, {port, address}) => {
		const {name, type} = readQuestion(query);
		asked.push(name);
		const known = answers[name];
		const send = () => socket.send(answerTo(query, type === 28 ? known?.ipv6 : known?.ipv4), port, address);
		if (known === undefined) held.push(send);
		else send();
	});
	await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
	t.teardown(() => void socket.close());
	const release = () => {
		for (const send of held) send();
	};
	return {asked, release, servers: [`127.0.0.1:${socket.address().port}`]};
};

const find = (findAddresses: FindAddresses, hostname: string): Promise<LookupAddress[]> =>
	new Promise((resolve, reject) =>
		findAddresses(hostname, {all: true}, (error, found) => (error ? reject(error) : resolve(found))),
	);

test('a name has the addresses that name servers answer, of either kind', async (t) => {
	const ipv6 = [0x26, 6, 0x47, 0, ...Array(11).fill(0), 0x11];
	const {servers} = await openNameServer(t, {
		'both.example': {ipv4: [192, 0, 2, 7], ipv6},
		'old.example': {ipv4: [192, 0, 2, 8]},
		'new.example': {ipv6},
		'none.example': {},
	});
	const findAddresses = createFindAddresses({servers, search: []});
	const [old, young] = [
		{address: '192.0.2.7', family: 4},
		{address: '2606:4700::11', family: 6},
	];
	t.deepEqual(await find(findAddresses, 'both.example'), [old, young]);
	t.deepEqual(await find(findAddresses, 'old.example'), [{address: '192.0.2.8', family: 4}]);
	t.deepEqual(await find(findAddresses, 'new.example'), [young]);
	await t.throwsAsync(find(findAddresses, 'none.example'), {code: 'ENODATA'});
});

test('a name that is not known is tried in the domains that the machine searches, unless it ends in a dot', async (t) => {
	const address = [192, 0, 2, 10];
	const {asked, servers} = await openNameServer(t, {
		'mcp.tools.cluster.example': {ipv4: address},
		'mcp.tools.other.example': {},
		'mcp.tools': {},
		'none.tools.other.example': {},
		'none.tools.cluster.example': {},
		'none.tools': {},
	});
	const findAddresses = createFindAddresses({servers, search: ['other.example', 'cluster.example']});
	t.deepEqual(await find(findAddresses, 'mcp.tools'), [{address: address.join('.'), family: 4}]);
	t.deepEqual([...new Set(asked)], ['mcp.tools', 'mcp.tools.other.example', 'mcp.tools.cluster.example']);
	await t.throwsAsync(find(findAddresses, 'mcp.tools.'), {code: 'ENODATA'});
	await t.throwsAsync(find(findAddresses, 'none.tools'), {code: 'ENODATA'});
});

test('[WHK-075] names whose servers do not answer hold up no other, and localhost is what the machine says', async (t) => {
	const {asked, release, servers} = await openNameServer(t, {'quick.example': {ipv4: [192, 0, 2, 9]}});
	const findAddresses = createFindAddresses({servers, timeout_ms: 600_000});
	let ended = 0;
	const slow = Array.from({length: 40}, (_, index) =>
		find(findAddresses, `slow-${index}.example`).catch(() => {
			ended += 1;
		}),
	);
	await until(() => new Set(asked).size === 40, 'all questions');
	t.true((await find(findAddresses, 'localhost')).every(({address}) => /^(127\.|::1$)/.test(address)));
	t.deepEqual(await find(findAddresses, 'quick.example'), [{address: '192.0.2.9', family: 4}]);
	t.is(ended, 0);
	t.false(asked.includes('localhost'));
	release();
	await Promise.all(slow);
});

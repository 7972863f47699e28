/**
 * The least that does what ours does: verifies, routes, has event, delivery and attempt on the disk before its 202 and before it
 * sends, signs, sends with undici, and has the answer on the disk. No trace, no count, no limit, no lease, no guard, no retry.
 * What it reaches bounds what any program on Node and SQLite could. Prints its address.
 */
import {createHmac} from 'node:crypto';
import {createServer} from 'node:http';
import {Pool} from 'undici';
import {startGroupCommit} from '../../group-commit.js';
import {tables} from './least-tables.js';
import {destinationOf, isGenuine, passedOn, printAddress} from './task.js';

const commit = startGroupCommit(tables.database);

const pools = new Map();
const poolOf = (origin) => {
	if (!pools.has(origin)) pools.set(origin, new Pool(origin, {connections: 64}));
	return pools.get(origin);
};

/** Reads the answer and has it on the disk. */
const recorder = (id) => {
	const chunks = [];
	let code = 0;
	return {
		onRequestStart() {},
		onResponseStart: (_control, status) => {
			code = status;
		},
		onResponseData: (_control, chunk) => chunks.push(chunk),
		onResponseEnd: () => commit(tables.answered(id, code, Buffer.concat(chunks)), () => {}),
		onResponseError: (_control, error) => {
			throw error;
		},
	};
};

const send = (id, url, {headers, body}) => {
	const {origin, pathname: path} = new URL(url);
	const stamp = Math.floor(Date.now() / 1000);
	const signature = createHmac('sha256', 'a secret').update(`${id}.${stamp}.`).update(body).digest('base64');
	const own = {'webhook-id': String(id), 'webhook-timestamp': String(stamp), 'webhook-signature': `v1,${signature}`};
	const request = {path, method: 'POST', headers: {...passedOn(headers), ...own}, body};
	poolOf(origin).dispatch(request, recorder(id));
};

const answer = (response, id, status) => {
	const text = JSON.stringify({event_id: id, status});
	response.writeHead(202, {'content-type': 'application/json', 'content-length': text.length}).end(text);
};

let last = 0;

const accept = ({headers, url}, response, body) => {
	if (!isGenuine(body, headers['x-hub-signature-256'])) return response.writeHead(401).end();
	last += 1;
	const id = last;
	const destination = destinationOf(JSON.parse(body), url);
	const event = tables.received(id, headers, body);
	if (!destination) return commit(event, () => answer(response, id, 'unmatched'));
	return commit([...event, ...tables.planned(id, destination)], () => {
		answer(response, id, 'pending');
		send(id, destination, {headers, body});
	});
};

const server = createServer((request, response) => {
	const chunks = [];
	request.on('data', (chunk) => chunks.push(chunk));
	request.on('end', () => accept(request, response, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
});
server.listen(0, '127.0.0.1', () => printAddress(server.address().port));

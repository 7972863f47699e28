/**
 * The least that forwards: node:http and undici, and nothing else. With a directory it has both bodies on the disk before it
 * answers. What it reaches bounds what any proxy on Node could. Arguments: the origin, the directory. Prints its address.
 */
import {createServer} from 'node:http';
import {join} from 'node:path';
import {Pool} from 'undici';
import {startGroupCommit} from '../../group-commit.js';

const [origin, directory] = process.argv.slice(2);
const pool = new Pool(origin, {connections: 64});
const log =
	directory &&
	startGroupCommit({
		file: join(directory, 'least.db'),
		schema: 'CREATE TABLE calls (id INTEGER PRIMARY KEY, url TEXT, status INTEGER, request BLOB, response BLOB);',
		statements: ['INSERT INTO calls VALUES (?, ?, ?, ?, ?)'],
	});

let last = 0;
const nextId = () => {
	last += 1;
	return last;
};

const whole = (chunks) => (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));

/** Passes the answer on when it is complete. */
const relay = (request, response, asked) => {
	const chunks = [];
	const answer = () => response.end(whole(chunks));
	return {
		onRequestStart() {},
		onResponseStart: (_control, status, headers) => response.writeHead(status, headers),
		onResponseData: (_control, chunk) => chunks.push(chunk),
		onResponseEnd: () => {
			if (!log) return answer();
			return log([[0, nextId(), request.url, response.statusCode, asked, whole(chunks)]], answer);
		},
		onResponseError: () => response.writeHead(502).end(),
	};
};

const forward = (request, response, body) => {
	const {method, url: path, headers} = request;
	const {host: _host, connection: _connection, ...passed} = headers;
	pool.dispatch({method, path, headers: passed, body}, relay(request, response, body));
};

const server = createServer((request, response) => {
	const chunks = [];
	request.on('data', (chunk) => chunks.push(chunk)).on('end', () => forward(request, response, whole(chunks)));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));

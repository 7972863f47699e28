/** The least that accepts durably: an HTTP server of Node, one INSERT with a commit of its own each. Prints its address. */
import {randomUUID} from 'node:crypto';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {destinationOf, directory, isGenuine, printAddress} from './task.js';

const database = new DatabaseSync(join(directory, 'each.db'));
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
database.exec('CREATE TABLE events (id TEXT PRIMARY KEY, status TEXT, url TEXT, headers TEXT, body BLOB)');
const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)');

const accept = ({headers}, response, body) => {
	if (!isGenuine(body, headers['x-hub-signature-256'])) return response.writeHead(401).end();
	const [id, status] = [randomUUID(), 'unmatched'];
	insert.run(id, status, destinationOf(JSON.parse(body), '/hook') ?? null, JSON.stringify(headers), body);
	const answer = JSON.stringify({event_id: id, status});
	return response.writeHead(202, {'content-type': 'application/json', 'content-length': answer.length}).end(answer);
};

const server = createServer((request, response) => {
	const chunks = [];
	request.on('data', (chunk) => chunks.push(chunk)).on('end', () => accept(request, response, Buffer.concat(chunks)));
});
server.listen(0, '127.0.0.1', () => printAddress(server.address().port));

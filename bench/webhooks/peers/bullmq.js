/** fastify accepts and puts a job into BullMQ's queue; a worker in the same process sends it with undici. Prints its address. */
import {Queue, Worker} from 'bullmq';
import fastify from 'fastify';
import Redis from 'ioredis';
import {Pool} from 'undici';
import {destinationOf, isGenuine, passedOn, printAddress, redis} from './task.js';

const prefix = 'signalbox-bench';
const connect = () => new Redis(redis, {maxRetriesPerRequest: null});

// As its own guides advise: tried again with a pause that grows, and only the last thousand are kept as a record.
const options = {attempts: 9, backoff: {type: 'exponential', delay: 5000}, removeOnComplete: 1000, removeOnFail: 1000};
const queue = new Queue('deliveries', {connection: connect(), prefix, defaultJobOptions: options});
// Of a run that was cut off.
await queue.obliterate({force: true});
const pools = new Map();

const poolOf = (origin) => {
	if (!pools.has(origin)) pools.set(origin, new Pool(origin, {connections: 32}));
	return pools.get(origin);
};

const send = async ({data: {url, headers, body}}) => {
	const {origin, pathname: path} = new URL(url);
	const answer = await poolOf(origin).request({path, method: 'POST', headers, body});
	const text = await answer.body.text();
	if (answer.statusCode >= 300) throw new Error(`answered ${answer.statusCode}`);
	return {status: answer.statusCode, body: text};
};

const worker = new Worker('deliveries', send, {connection: connect(), prefix, concurrency: 32});

const app = fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser('application/json', {parseAs: 'buffer'}, (_request, body, done) => done(null, body));
app.post('/:path', async ({params, headers, body}, reply) => {
	if (!isGenuine(body, headers['x-hub-signature-256'])) return reply.code(401).send();
	const text = body.toString();
	const url = destinationOf(JSON.parse(text), `/${params.path}`);
	if (url) await queue.add('deliver', {url, headers: passedOn(headers), body: text});
	return reply.code(202).send({status: 'pending'});
});

process.once('SIGTERM', async () => {
	await worker.close(true);
	await queue.obliterate({force: true});
	process.exit(0);
});

await app.listen({port: 0, host: '127.0.0.1'});
printAddress(app.server.address().port);

/** Node-RED with one flow: http in, verify, answer; switch, http request. Prints its address. */
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {directory, printAddress} from './task.js';

const RED = createRequire(import.meta.url)('node-red');

const verify = `
const expected = crypto.createHmac('sha256', env.get('BENCH_SECRET')).update(msg.payload).digest();
const given = Buffer.from((msg.req.headers['x-hub-signature-256'] || '').slice(7), 'hex');
msg.raw = msg.payload;
msg.payload = JSON.parse(msg.raw.toString());
msg.statusCode = 401;
if (given.length !== expected.length || !crypto.timingSafeEqual(given, expected)) return [msg, null];
return [{req: msg.req, res: msg.res, statusCode: 202, payload: {status: 'pending'}}, msg];`;

const prepare = `
const {req, raw} = msg;
return {
	url: env.get('BENCH_DESTINATION') + req.path,
	payload: raw,
	headers: {
		'content-type': req.headers['content-type'],
		'x-github-event': req.headers['x-github-event'],
		'x-github-delivery': req.headers['x-github-delivery'],
	},
};`;

const crypto = [{var: 'crypto', module: 'crypto'}];
/** The body is kept as it came only where the path is written out. */
const doorAt = (url) => ({
	...{id: `in ${url}`, type: 'http in', z: 'tab', url, method: 'post'},
	skipBodyParsing: true,
	wires: [['verify']],
});
const flow = [
	{id: 'tab', type: 'tab', label: 'webhooks'},
	...['/hook', '/paced'].map(doorAt),
	{id: 'verify', type: 'function', z: 'tab', func: verify, outputs: 2, libs: crypto, wires: [['answer'], ['route']]},
	{id: 'answer', type: 'http response', z: 'tab', wires: []},
	{
		id: 'route',
		type: 'switch',
		z: 'tab',
		property: 'payload.repository.full_name',
		propertyType: 'msg',
		rules: [{t: 'eq', v: process.env.BENCH_REPOSITORY, vt: 'str'}],
		checkall: 'false',
		outputs: 1,
		wires: [['prepare']],
	},
	{id: 'prepare', type: 'function', z: 'tab', func: prepare, outputs: 1, wires: [['send']]},
	{id: 'send', type: 'http request', z: 'tab', method: 'POST', ret: 'txt', persist: true, wires: [[]]},
];

const server = createServer((request, response) => RED.httpNode(request, response));
writeFileSync(join(directory, 'flows.json'), JSON.stringify(flow));
RED.init(server, {
	userDir: directory,
	flowFile: 'flows.json',
	httpAdminRoot: false,
	httpNodeRoot: '/',
	functionExternalModules: true,
	logging: {console: {level: 'error'}},
	telemetry: {enabled: false},
	disableEditor: true,
});
const started = once(RED.events, 'flows:started');
await RED.start();
await started;
server.listen(0, '127.0.0.1', () => printAddress(server.address().port));
process.once('SIGTERM', () => process.exit(0));

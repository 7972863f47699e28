import {createTestCore, createTestPorts, failingStores} from '@signalbox/core/testing';
import {createLogger, createServer, defaultEdgeLimits, defaultEdgeTimeouts, readConfig} from '@signalbox/hapi-server';
import test from 'ava';
import {createApi, registerPerson} from '../../../../test/support/api.ts';
import {createMetrics} from '../../src/metrics.ts';

const broken = new Error('disk full: row 7 of middlewares');

/** A server whose stores of middleware and rules fail in a way that nobody foresaw. */
const start = async (t: {teardown(end: () => Promise<void>): void}) => {
	const {ports: working} = createTestPorts();
	const failures = {list: broken, create: broken, update: broken, delete: broken};
	const failing = failingStores(working, {
		middlewares: {...failures, reorder: broken},
		routingRules: failures,
	});
	const {core, ports} = createTestCore({ports: failing});
	const config = readConfig({PORT: '0', GRPC_PORT: '0', DATABASE_URL: 'sqlite::memory:'});
	const log = createLogger('silent', {write: () => {}});
	const health = {ping: async () => {}, pending: async () => []};
	const settings = {...config, limits: defaultEdgeLimits, timeouts: defaultEdgeTimeouts};
	const server = await createServer({core, ports, settings, health, log, metrics: createMetrics()});
	t.teardown(server.stop);
	return registerPerson(createApi(server.addresses.base_url));
};

test('[MID-022] an internal error of a middleware or routing operation is 500, and tells nothing of its cause', async (t) => {
	const {api} = await start(t);
	const made = await api.post('/v1/webhook/endpoints', {name: 'Orders', destination_url: 'https://x.example/'});
	const base = `/v1/webhook/endpoints/${made.body.id}`;
	const id = '01890000-0000-7000-8000-000000000000';
	const step = {type: 'delay', name: 'later', config: {seconds: 1}};
	const rule = {name: 'all', destination_url: 'https://x.example/', is_active: true};
	const replies = [
		await api.get(`${base}/middlewares`),
		await api.post(`${base}/middlewares`, step),
		await api.put(`${base}/middlewares/${id}`, {name: 'x'}),
		await api.delete(`${base}/middlewares/${id}`),
		await api.put(`${base}/middlewares/reorder`, {middleware_ids: []}),
		await api.get(`${base}/routing-rules`),
		await api.post(`${base}/routing-rules`, rule),
		await api.put(`${base}/routing-rules/${id}`, {name: 'x'}),
		await api.delete(`${base}/routing-rules/${id}`),
	];
	for (const {status, body, text} of replies) {
		t.is(status, 500);
		t.is(body.error.code, 'internal_error');
		t.false(text.includes('disk full'));
	}
});

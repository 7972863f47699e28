import {openDestination} from '../../../test/support/webhooks.ts';
import {browserTest, type Walk} from './support/browser.ts';
import {holdPages} from './support/hold-page.ts';

const fillWebhooks = async ({t, server, person: {api}}: Walk): Promise<readonly string[]> => {
	const {url} = await openDestination(t);
	const {id, slug} = (await api.post('/v1/webhook/endpoints', {name: 'Orders', destination_url: url})).body;
	const path = `/v1/webhook/endpoints/${id}`;
	const steps: readonly (readonly [string, object])[] = [
		['filter', {field: 'body.type', operator: 'equals', value: 'order.test'}],
		['transform_body', {set: {'customer.tier': 'gold'}, remove: ['customer.email']}],
		['deduplicate', {key: 'headers.x-delivery', ttl: 3600}],
	];
	for (const [type, config] of steps) await api.post(`${path}/middlewares`, {type, name: type, config});
	const condition = {condition_source: 'body', condition_field: '$.type', condition_operator: 'equals'};
	await api.post(`${path}/routing-rules`, {
		...{name: 'Paid', destination_url: url, is_active: true, condition_value: 'order.paid', ...condition},
	});
	await api.put(`${path}/routing-mode`, {routing_mode: 'first_match'});
	const {event_id} = await (
		await fetch(`${server.baseUrl}/wh/${slug}`, {method: 'POST', body: '{"type":"order.paid","customer":{}}'})
	).json();
	return [
		'/webhooks',
		'/webhooks/new',
		`/webhooks/endpoints/${id}`,
		`/webhooks/endpoints/${id}/routing`,
		`/webhooks/endpoints/${id}/settings`,
		'/webhooks/events',
		`/webhooks/events/${event_id}`,
	];
};

const fillCron = async ({person: {api}}: Walk): Promise<readonly string[]> => {
	const job = {name: 'Nightly backup', schedule: 'every day at 2:30am', command: './backup.sh'};
	const {id} = (await api.post('/v1/cron-jobs', job)).body;
	await api.post('/v1/cron-jobs', {name: 'Ping', schedule: 'every minute', command: 'true'});
	const run = (await api.post(`/v1/cron-jobs/${id}/run`)).body;
	const steps = [
		{cron_job_id: id, step_order: 0},
		{cron_job_id: id, step_order: 1, condition_type: 'on_failure'},
	];
	const chain = (await api.post('/v1/cron/chains', {name: 'Export', trigger_type: 'manual', steps})).body;
	const chainRun = (await api.post(`/v1/cron/chains/${chain.id}/run`)).body;
	return [
		'/cron',
		'/cron/jobs/new',
		`/cron/jobs/${id}`,
		`/cron/jobs/${id}/edit`,
		'/cron/calendar',
		'/cron/runs',
		`/cron/runs/${run.id}`,
		'/cron/chains',
		'/cron/chains/new',
		`/cron/chains/${chain.id}`,
		`/cron/chains/${chain.id}/edit`,
		`/cron/chain-runs/${chainRun.id}`,
	];
};

browserTest('every page of webhooks and cron can be used by everybody, fits, and nothing on it moves', async (walk) => {
	const windows = [
		{width: 1280, colorScheme: 'dark'},
		{width: 380, colorScheme: 'light'},
	] as const;
	await holdPages(walk, windows, [...(await fillWebhooks(walk)), ...(await fillCron(walk))]);
});

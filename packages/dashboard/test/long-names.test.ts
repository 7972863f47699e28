import {browserTest, expectFit, widths} from './support/browser.ts';

const word = 'W'.repeat(100);
const address = `https://example.com/${'h'.repeat(300)}`;

for (const width of widths)
	browserTest(`names and addresses that are one long word fit into ${width} px`, async ({t, open, person}) => {
		const {api} = person;
		const server = await api.post('/v1/mcp/servers', {name: word, target_url: address});
		const job = await api.post('/v1/cron-jobs', {name: word, command: 'true', schedule: 'every minute'});
		const run = await api.post(`/v1/cron-jobs/${job.body.id}/run`, {});
		await api.post('/v1/environment', {key: 'K'.repeat(100), value: 'v'});
		await api.post('/v1/api-keys', {name: word, scopes: ['proxy']});
		await api.post('/v1/notification-channels', {type: 'webhook', url: address, name: word});
		const page = await open({width, person});
		for (const path of [
			`/mcp/servers/${server.body.id}`,
			`/mcp/servers/${server.body.id}/edit`,
			'/cron',
			'/cron/calendar',
			`/cron/jobs/${job.body.id}`,
			`/cron/runs/${run.body.id}`,
			'/settings',
			'/settings/api-keys',
			'/settings/channels',
		]) {
			await page.goto(path);
			await page
				.locator('main')
				.getByText(/W{50}|K{50}/)
				.first()
				.waitFor();
			await expectFit(t, page, path);
		}
	});

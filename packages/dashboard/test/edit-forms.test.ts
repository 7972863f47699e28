import test from 'ava';
import {linesOfVariables, variablesIn} from '../src/cron/variable-lines.ts';
import {browserTest} from './support/browser.ts';

browserTest('changing the name of a server leaves alone what the form has no field for', async ({t, open, person}) => {
	const page = await open({person});
	const log_bodies = {mode: 'redacted', paths: ['$.params.arguments.ssn']};
	const {body: server} = await person.api.post('/v1/mcp/servers', {
		...{name: 'Bank', target_url: 'https://example.com/mcp', log_bodies},
	});
	await page.goto(`/mcp/servers/${server.id}/edit`);
	await page.getByLabel('Name').fill('Bank 2');
	await page.getByRole('button', {name: 'Save'}).click();
	await page.getByText('Saved').waitFor();
	t.like((await person.api.get(`/v1/mcp/servers/${server.id}`)).body, {name: 'Bank 2', log_bodies});
});

browserTest('what others changed since a page was read is not taken back by saving', async ({t, open, person}) => {
	const page = await open({person});
	const rule = (pattern: string, action: string) => ({pattern, action});
	const approval_config = {enabled: true, trust_level: 'autonomous', rules: [rule('delete_*', 'allow')]};
	const {body: server} = await person.api.post('/v1/mcp/servers', {
		...{name: 'Bank', target_url: 'https://example.com/mcp', approval_config},
	});
	await page.goto(`/mcp/servers/${server.id}`);
	await page.getByRole('heading', {name: 'Connect a client'}).waitFor();
	const rules = [rule('delete_*', 'require'), rule('send_money', 'require')];
	await person.api.put(`/v1/mcp/servers/${server.id}`, {approval_config: {trust_level: 'strict', rules}});
	await page.locator(`a[href="/mcp/servers/${server.id}/edit"]`).first().click();
	await page.getByLabel('Name').fill('Bank 2');
	await page.getByRole('button', {name: 'Save'}).click();
	await page.getByText('Saved').waitFor();
	const {body} = await person.api.get(`/v1/mcp/servers/${server.id}`);
	t.like(body, {name: 'Bank 2'});
	t.deepEqual(body.approval_config.rules, rules);
});

browserTest('changing the name of a job leaves its variables and tags as they are', async ({t, open, person}) => {
	const page = await open({person});
	const environment = {TEXT: 'line one\nPATH=/tmp/evil\nend', PAD: '  two blanks  ', PLAIN: 'a=b'};
	const {body: job} = await person.api.post('/v1/cron-jobs', {
		...{name: 'Nightly', schedule: 'daily', command: 'true', environment, tags: ['nightly backup', 'a,b']},
	});
	await page.goto(`/cron/jobs/${job.id}/edit`);
	await page.getByLabel('Name', {exact: true}).fill('Nightly 2');
	await page.getByRole('button', {name: 'Save'}).click();
	await page.waitForURL(`**/cron/jobs/${job.id}`);
	const {body} = await person.api.get(`/v1/cron-jobs/${job.id}`);
	t.like(body, {name: 'Nightly 2'});
	t.deepEqual([body.environment, body.tags], [environment, ['nightly backup', 'a,b']]);
});

test('variables of a command are read as they are written, whatever they hold', (t) => {
	for (const variables of [
		{A: 'a=b', B: '', C: 'a "b" c', D: '1'},
		{A: 'one\ntwo\r\nB=three', B: ' x ', C: '"quoted"', D: '"'},
	])
		t.deepEqual(variablesIn(linesOfVariables(variables)), variables);
	t.deepEqual(variablesIn('A="x y"\n B = z '), {A: 'x y', B: 'z'});
});

browserTest('a step whose job is gone says so, and is not taken for another one', async ({t, open, person}) => {
	const page = await open({person});
	const addJob = async (name: string): Promise<string> =>
		(await person.api.post('/v1/cron-jobs', {name, schedule: 'daily', command: 'true'})).body.id;
	const [kept, gone] = [await addJob('Alpha'), await addJob('Beta')];
	const step = (cron_job_id: string, step_order: number) => ({
		...{cron_job_id, step_order, condition_type: 'on_success', timeout_seconds: 60},
	});
	const {body: chain} = await person.api.post('/v1/cron/chains', {
		...{name: 'Chain', trigger_type: 'manual', steps: [step(gone, 0), step(kept, 1)]},
	});
	await person.api.delete(`/v1/cron-jobs/${gone}`);
	await page.goto(`/cron/chains/${chain.id}/edit`);
	const job = page.getByLabel('Job of step 1');
	await job.waitFor();
	t.is(await job.evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]?.textContent), '(deleted job)');
	await job.selectOption({label: 'Alpha'});
	await page.getByRole('button', {name: 'Save'}).click();
	await page.waitForURL(`**/cron/chains/${chain.id}`);
	const {body} = await person.api.get(`/v1/cron/chains/${chain.id}`);
	t.deepEqual(
		body.steps.map(({cron_job_id}: {cron_job_id: string}) => cron_job_id),
		[kept, kept],
	);
});

browserTest('what stands before a signature keeps its blank', async ({t, open, person}) => {
	const page = await open({person});
	const verification = {type: 'hmac', secret: 'abc', header: 'authorization', encoding: 'base64', prefix: 'HMAC '};
	const {body: endpoint} = await person.api.post('/v1/webhook/endpoints', {
		...{name: 'Teams', destination_url: 'https://example.com/x', verification},
	});
	await page.goto(`/webhooks/endpoints/${endpoint.id}/settings`);
	await page.getByLabel('Name', {exact: true}).fill('Teams 2');
	await page.getByRole('button', {name: 'Save'}).click();
	await page.getByText('Saved').waitFor();
	const {body} = await person.api.get(`/v1/webhook/endpoints/${endpoint.id}`);
	t.deepEqual([body.name, body.verification], ['Teams 2', endpoint.verification]);
});

browserTest('how a sender is known is not taken back by a form that was read earlier', async ({t, open, person}) => {
	const page = await open({person});
	const {body: endpoint} = await person.api.post('/v1/webhook/endpoints', {
		...{name: 'Orders', destination_url: 'https://example.com/x', verification: {type: 'none'}},
	});
	await page.goto(`/webhooks/endpoints/${endpoint.id}`);
	await page.getByText('Senders post to').waitFor();
	const verification = {type: 'github', secret: 'a secret of the sender'};
	await person.api.put(`/v1/webhook/endpoints/${endpoint.id}`, {verification});
	await page.getByRole('link', {name: 'Settings', exact: true}).last().click();
	await page.getByLabel('Name', {exact: true}).fill('Orders 2');
	await page.getByRole('button', {name: 'Save'}).click();
	await page.getByText('Saved').waitFor();
	const {body} = await person.api.get(`/v1/webhook/endpoints/${endpoint.id}`);
	t.like(body, {name: 'Orders 2', verification: {type: 'github'}});
});

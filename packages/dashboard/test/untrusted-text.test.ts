import type {Locator} from 'playwright-core';
import {createApi} from '../../../test/support/api.ts';
import {startJsonRpcUpstream, toolCall} from '../../../test/support/json-rpc-upstream.ts';
import {until} from '../../../test/support/mcp/until.ts';
import {browserTest} from './support/browser.ts';

const markup = '<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>';
const ansi = 'plain \u001b[31mred\u001b[0m';
const bidi = 'photo\u202egpj.exe';
const invisible = 'pay\u200bpal';
/** As much as an argument of a held call may hold, and as much as an answer often does. */
const long = `${'lorem ipsum '.repeat(18_000)}the very end`;
const megabyte = `${'dolor sit amet '.repeat(75_000)}the end of it all`;

/** Lines are measured as they come into view, so the end may move on before it is reached. */
const scrollTo = async (frame: Locator, text: string): Promise<void> => {
	await until(async () => {
		await frame.evaluate((element) => element.scrollTo(0, element.scrollHeight));
		return (await frame.getByText(text).count()) > 0;
	}, text);
};

browserTest(
	'markup, ANSI, bidi, invisible characters and a megabyte of text are shown, and do nothing',
	async (walk) => {
		const {t, server, open, person} = walk;
		const page = await open({person});
		const upstream = await startJsonRpcUpstream(() => ({
			result: {content: [{type: 'text', text: markup + ansi + bidi + megabyte}]},
		}));
		t.teardown(upstream.close);
		const anonymous = createApi(server.baseUrl);
		const settings = {name: markup, target_url: upstream.url, approval_config: {enabled: true}};
		const mcp = (await person.api.post('/v1/mcp/servers', settings)).body;
		const args = {[markup]: markup, ansi, bidi, invisible, long};
		const answer = anonymous.post(`/p/${mcp.slug}`, toolCall('evil_<b>tool', args), {accept: 'application/json'});

		const article = page.getByRole('article');
		await article.waitFor();
		t.is(await article.locator('.tool-name').innerText(), 'evil_<b>tool');
		t.true(await article.getByText(markup).first().isVisible());
		for (const mark of ['ESC', 'RLO', 'ZWSP'])
			t.true(await article.locator('.mark', {hasText: mark}).first().isVisible(), mark);
		t.regex(await article.innerText(), /The first 20\.0 kB of 216\.0 kB/);
		await article.getByRole('button', {name: 'Show all'}).click();
		const all = article.getByRole('region', {name: 'Argument long'});
		await scrollTo(all, 'the very end');

		await page.keyboard.press('a');
		await page.getByRole('button', {name: 'Approve and run'}).click();
		await answer;
		await page.goto('/mcp/calls');
		await page.getByRole('link', {name: /evil_<b>tool/}).click();
		const response = page.getByRole('region', {name: 'Response', exact: true}).first();
		t.regex(await response.innerText(), /The first 20\.0 kB of 1\.1 MB/);
		await response.getByRole('button', {name: 'Show all'}).click();
		const text = response.getByRole('region');
		await scrollTo(text, 'the end of it all');
		t.true((await text.locator('.viewer-line').count()) < 200, 'only what can be seen is drawn');
		t.is(await page.locator('main img, main script, main b').count(), 0);
		t.is(await page.evaluate(() => (globalThis as {pwned?: number}).pwned), undefined);
	},
);

browserTest('a number that programs round is shown, and decided, with the digits that were sent', async (walk) => {
	const {t, server, open, person} = walk;
	const page = await open({person});
	const upstream = await startJsonRpcUpstream();
	t.teardown(upstream.close);
	const settings = {name: 'Bank', target_url: upstream.url, approval_config: {enabled: true}};
	const mcp = (await person.api.post('/v1/mcp/servers', settings)).body;
	const sent = JSON.stringify(toolCall('send_money', {account: 'ACCOUNT'})).replace(
		'"ACCOUNT"',
		'12345678901234567891',
	);
	const answer = createApi(server.baseUrl).post(`/p/${mcp.slug}`, sent, {accept: 'application/json'});

	const shown = page.getByRole('article').getByRole('region', {name: 'Arguments', exact: true});
	await shown.getByText('12345678901234567891').waitFor();
	t.is(await page.getByText('12345678901234567000').count(), 0);
	t.is(await page.getByRole('list', {name: 'Waiting approvals'}).getByText('12345678901234567891').count(), 1);
	await page.keyboard.press('a');
	await page.getByRole('button', {name: 'Approve and run'}).click();
	t.is((await answer).status, 200);
	t.is(upstream.received.length, 1);
});

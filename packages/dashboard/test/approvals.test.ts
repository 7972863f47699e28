import type {Locator, Page} from 'playwright-core';
import {officialClients} from '../../../test/support/mcp/official-clients.ts';
import {startTicketsServer} from '../../../test/support/mcp/tickets-server.ts';
import {browserTest, type Walk, widths} from './support/browser.ts';

const newestClient = officialClients.at(-1) as (typeof officialClients)[number];

/** Creates a server on the page. @returns the address that the page shows to its clients. */
const createServer = async (page: Page, target: string): Promise<string> => {
	await page.getByRole('link', {name: 'MCP'}).click();
	await page.getByRole('link', {name: 'New server'}).click();
	await page.getByLabel('Name').fill('Tickets');
	await page.getByLabel('Address of the MCP server').fill(target);
	await page.getByRole('button', {name: 'Create the server'}).click();
	await page.getByRole('heading', {name: 'Connect a client'}).waitFor();
	await page.getByRole('tab', {name: 'Any other'}).click();
	return (await page.getByRole('tabpanel').locator('pre').textContent()) ?? '';
};

const openInbox = async (page: Page): Promise<void> => {
	await page.getByRole('link', {name: 'Approvals', exact: false}).first().click();
	await page.getByRole('heading', {name: 'Nothing waits for you'}).waitFor();
};

const start = async ({t, open, person}: Walk, width: (typeof widths)[number]) => {
	const upstream = await startTicketsServer();
	t.teardown(upstream.close);
	const page = await open({width, person});
	const agent = await newestClient.connect(await createServer(page, upstream.url));
	t.teardown(agent.close);
	await openInbox(page);
	const call = (tool: string, id: string) => agent.callTool(tool, {id}, {timeout: 120_000});
	return {page, call, upstream};
};

const textOf = (result: Readonly<{content: readonly Readonly<{text?: string}>[]}>): string =>
	result.content[0]?.text ?? '';

/** What waits is in the inbox, without a reload. On a desk it is read beside the list, on a phone on a page of its own. */
const read = async (page: Page, width: number): Promise<Locator> => {
	const link = page.getByRole('list', {name: 'Waiting approvals'}).getByRole('link', {name: /delete_item/});
	await link.waitFor();
	if (width < 960) await link.press('Enter');
	const article = page.getByRole('article', {name: 'Call of delete_item'});
	await article.waitFor();
	return article;
};

for (const width of widths) {
	browserTest(
		`a call appears in the open inbox, is approved by keyboard, and its client gets the result, at ${width} px`,
		async (walk) => {
			const {t} = walk;
			const {page, call, upstream} = await start(walk, width);
			const result = call('delete_item', 'T-42');
			const article = await read(page, width);
			// The count comes a moment after the call.
			await page.waitForFunction(() => document.title.startsWith('(1) '));
			t.true(await article.getByText('"T-42"').first().isVisible());
			t.is(upstream.executions('delete_item'), 0);
			await page.keyboard.press('a');
			await page.getByRole('dialog', {name: 'Approve this call'}).waitFor();
			await page.keyboard.type('fine by me');
			await page.keyboard.press('Enter');
			t.is(textOf(await result), 'delete_item T-42');
			t.is(upstream.executions('delete_item'), 1);
			await page.getByText('Approved: delete_item').waitFor();
			await page.getByRole('link', {name: 'Approvals', exact: false}).first().click();
			await page.getByRole('link', {name: 'Approved', exact: true}).click();
			const row = page.getByRole('row', {name: /delete_item/});
			t.regex(await row.innerText(), /Tickets[\s\S]*Ada[\s\S]*fine by me/);
		},
	);

	browserTest(`a call is read and rejected with a note, which its client is told, at ${width} px`, async (walk) => {
		const {t} = walk;
		const {page, call, upstream} = await start(walk, width);
		const result = call('delete_item', 'T-43');
		const article = await read(page, width);
		await article.getByRole('button', {name: /Reject/}).click();
		await page.getByLabel('Note').fill('ask Grace first');
		await page.getByRole('button', {name: 'Reject', exact: true}).click();
		const told = await result;
		t.true(told.isError);
		t.regex(textOf(told), /ask Grace first/);
		t.is(upstream.executions('delete_item'), 0);
		await article.getByText('Rejected by').waitFor();
		t.true(await article.getByText('ask Grace first').isVisible());
	});
}

browserTest('keys lead through the inbox, and marked calls are rejected together', async (walk) => {
	const {t} = walk;
	const {page, call} = await start(walk, 1280);
	const results = [call('create_item', 'T-44'), call('delete_item', 'T-42')];
	await page.getByRole('status').getByText('2 waiting').waitFor();
	const inView = page.locator('.inbox-row[data-selected="true"] .strong');
	const first = await inView.innerText();
	await page.keyboard.press('j');
	t.not(await inView.innerText(), first);
	await page.keyboard.press('k');
	t.is(await inView.innerText(), first);
	await page.keyboard.press('?');
	await page.getByRole('dialog', {name: 'Keys of this page'}).waitFor();
	await page.keyboard.press('Escape');
	await page.getByRole('button', {name: 'Mark all'}).click();
	await page.keyboard.press('r');
	await page.getByRole('dialog', {name: 'Reject 2 calls'}).waitFor();
	await page.keyboard.type('not tonight');
	await page.keyboard.press('Enter');
	for (const result of await Promise.all(results)) t.regex(textOf(result), /not tonight/);
	await page.getByRole('status').getByText('Nothing waits').waitFor();
});

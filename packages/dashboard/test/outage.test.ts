import type {Page} from 'playwright-core';
import {browserTest, type Walk} from './support/browser.ts';

/** A window of somebody who is signed in, whose browser may write to its console that nothing answers. */
const openInbox = async ({open, person}: Walk): Promise<Page> => {
	const page = await (await open({person})).context().newPage();
	await page.goto('/approvals');
	await page.getByRole('heading', {name: 'Nothing waits for you'}).waitFor();
	return page;
};

browserTest('a page whose code does not come says so, and comes once the window is loaded anew', async (walk) => {
	const page = await openInbox(walk);
	await page.route('**/assets/**', (route) => route.abort());
	await page.getByRole('link', {name: 'Webhooks'}).click();
	await page.getByRole('alert').getByText('The page could not be loaded').waitFor();
	await page.unroute('**/assets/**');
	await page.getByRole('button', {name: 'Try again'}).click();
	await page.getByRole('heading', {name: 'No endpoint yet'}).waitFor();
	walk.t.pass();
});

browserTest('an inbox in which nothing waits says so when it hears nothing of the server', async (walk) => {
	const page = await openInbox(walk);
	const words = page.getByText('Signalbox does not answer.');
	walk.t.is(await words.count(), 0);
	await page.route('**/v1/stream*', (route) => route.abort());
	await page.reload();
	await words.waitFor();
	await page.unroute('**/v1/stream*');
	await words.waitFor({state: 'detached'});
});

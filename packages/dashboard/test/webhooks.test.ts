import type {Page} from 'playwright-core';
import {openDestination} from '../../../test/support/webhooks.ts';
import {browserTest, expectFit, widths} from './support/browser.ts';

const addStep = async (page: Page, kind: string, fields: Readonly<Record<string, string>>): Promise<void> => {
	await page.getByRole('button', {name: 'Add a step'}).click();
	await page.getByRole('dialog').getByRole('button', {name: kind}).click();
	for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, {exact: true}).fill(value);
	await page.getByRole('button', {name: 'Add step'}).click();
	await page.getByRole('dialog').waitFor({state: 'hidden'});
};

const makeEndpoint = async (page: Page, destination: string): Promise<void> => {
	await page.getByRole('link', {name: 'Make an endpoint'}).click();
	await page.getByLabel('Name').fill('Orders');
	await page.getByLabel('Destination').fill(destination);
	await page.getByLabel('When a delivery fails').selectOption('Never');
	await page.getByRole('button', {name: 'Make the endpoint'}).click();
	await page.getByText('The signing secret is shown this once.').waitFor();
	await page.getByRole('button', {name: 'I have kept it'}).click();
};

const stepNames = async (page: Page): Promise<readonly string[]> =>
	page.getByRole('list', {name: 'Steps'}).locator('li .strong').allTextContents();

/** Puts the filter first by the keyboard, and the change of headers before that of the body by dragging. */
const reorder = async (page: Page): Promise<void> => {
	await page.getByRole('button', {name: 'Move Filter up'}).press('Enter');
	await page.getByRole('button', {name: 'Move Filter up'}).press('Enter');
	await page.waitForFunction(() => document.querySelector('.steps .strong')?.textContent === 'Filter');
	await page.locator('.drag-handle').nth(2).dragTo(page.locator('.drag-handle').nth(1));
	await page.waitForFunction(() => document.querySelectorAll('.steps .strong')[1]?.textContent === 'Change headers');
};

for (const width of widths)
	browserTest(
		`a pipeline is built, tried, and what it made of a webhook is seen, at ${width} px`,
		async ({t, open, person}) => {
			const destination = await openDestination(t, [500]);
			const page = await open({width, person});
			await page.goto('/webhooks');
			await page.getByRole('heading', {name: 'No endpoint yet'}).waitFor();
			await expectFit(t, page, 'no endpoint');

			await makeEndpoint(page, destination.url);
			await addStep(page, 'Change body', {Set: 'customer.tier = gold', Remove: 'customer.email'});
			await addStep(page, 'Change headers', {Set: 'X-Tier: gold'});
			await addStep(page, 'Filter', {'Stop the webhook when': 'body.type', Value: 'order.test'});
			await page.getByRole('button', {name: 'Move Filter up'}).waitFor();
			t.deepEqual(await stepNames(page), ['Change body', 'Change headers', 'Filter']);
			const trial = page.getByRole('region', {name: 'Live test'});
			await trial.getByText('added: body.customer.tier "gold"').waitFor();
			await trial.getByText('removed: body.customer.email "ada@example.com"').waitFor();
			await trial.getByText('added: header x-tier gold').waitFor();
			await trial.getByText('It passes all steps.').waitFor();
			await expectFit(t, page, 'the pipeline');

			await reorder(page);
			t.deepEqual(await stepNames(page), ['Filter', 'Change headers', 'Change body']);
			await page.getByRole('textbox', {name: 'Body'}).fill('{"type":"order.test"}');
			await trial.getByText('A filter stops it').waitFor();
			t.is(await trial.getByRole('listitem').filter({hasText: 'Stopped here'}).count(), 1);

			const address = (await page.locator('.code-line code').first().textContent()) ?? '';
			const body = '{"type":"order.paid","customer":{"email":"ada@example.com"}}';
			const answer = await fetch(address, {method: 'POST', body, headers: {'content-type': 'application/json'}});
			t.is(answer.status, 202);
			await page.getByRole('link', {name: 'Events'}).click();
			await page.getByRole('link', {name: 'Orders'}).click();
			await page.getByRole('region', {name: 'Delivery to'}).getByText('HTTP 500').waitFor();
			const trace = page.getByRole('region', {name: 'Trace'});
			await trace.getByText('added: header x-tier gold').waitFor();
			await trace.getByText('It goes to one destination.').waitFor();
			await expectFit(t, page, 'an event');

			await page.getByRole('button', {name: 'Retry', exact: true}).click();
			await page.getByRole('region', {name: 'Delivery to'}).getByText('HTTP 200').waitFor();
			t.is(destination.received.length, 2);
			t.deepEqual(JSON.parse(String(destination.received[1]?.body)), {type: 'order.paid', customer: {tier: 'gold'}});
			const first = page.url();
			await page.getByRole('button', {name: 'Replay'}).click();
			await page.waitForURL((url) => url.href !== first);
			await page.getByRole('region', {name: 'Delivery to'}).getByText('HTTP 200').waitFor();
			t.is(destination.received.length, 3);
		},
	);

import {openDestination} from '../../../test/support/webhooks.ts';
import {browserTest, expectFit, widths} from './support/browser.ts';

for (const width of widths)
	browserTest(
		`a channel is tried from the list, and what came of it is shown where it was asked for, at ${width} px`,
		async ({t, open, person}) => {
			const [good, bad] = [await openDestination(t), await openDestination(t, [404])];
			await person.api.post('/v1/notification-channels', {type: 'webhook', name: 'Ops', url: good.url});
			await person.api.post('/v1/notification-channels', {type: 'slack', name: 'Chat', url: bad.url});
			const paused = {type: 'webhook', name: 'Off', url: good.url, is_active: false};
			await person.api.post('/v1/notification-channels', paused);
			const page = await open({width, person});
			await page.goto('/settings/channels');
			const buttonOf = (name: string) => page.getByRole('row', {name}).getByRole('button', {name: 'Send a test'});
			const outcomeOf = (name: string) => page.getByRole('dialog', {name: `A test to ${name}`});

			await buttonOf('Ops').press('Enter');
			await outcomeOf('Ops').getByText('Delivered').waitFor();
			await outcomeOf('Ops').getByText('HTTP 200').waitFor();
			await expectFit(t, page, 'a test that arrived');
			await outcomeOf('Ops').getByRole('button', {name: 'Close'}).press('Enter');
			await outcomeOf('Ops').waitFor({state: 'detached'});
			t.is(good.received.length, 1);
			t.true(await buttonOf('Off').isDisabled());

			await buttonOf('Chat').press('Enter');
			await outcomeOf('Chat').getByText('The destination answered 404.').waitFor();
			await expectFit(t, page, 'a test that failed');
			await outcomeOf('Chat').getByRole('link', {name: 'See the delivery'}).press('Enter');
			await page.getByRole('heading', {name: 'A notice to you'}).waitFor();
			await page.getByText('Failed').first().waitFor();
		},
	);

browserTest('a test that comes too soon says so, and none is sent', async ({t, open, person}) => {
	const {api} = person;
	const destination = await openDestination(t);
	const channel = {type: 'webhook', name: 'Ops', url: destination.url};
	const {id} = (await api.post('/v1/notification-channels', channel)).body;
	for (let count = 0; count < 6; count += 1) await api.post(`/v1/notification-channels/${id}/test`);
	// Chromium writes an answer of 429 to the console: a page of its own, which nobody watches for that.
	const page = await (await open({person})).context().newPage();
	await page.goto('/settings/channels');
	await page.getByRole('button', {name: 'Send a test'}).click();
	await page.getByText(/Too many requests/).waitFor();
	t.is(await page.getByRole('dialog').count(), 0);
});

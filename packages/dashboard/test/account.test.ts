import {createApi, registerPerson} from '../../../test/support/api.ts';
import {browserTest, expectFit, register, widths} from './support/browser.ts';

const most = 120_000;

browserTest('the first load of the inbox is under 120 KB, compressed by gzip, in all', async ({t, server, open}) => {
	const page = await open();
	const paths = new Set<string>();
	page.on('request', (request) => {
		const {origin, pathname} = new URL(request.url());
		if (origin === server.baseUrl && !pathname.startsWith('/v1/')) paths.add(pathname);
	});
	await register(page);
	await page.getByRole('heading', {name: 'Nothing waits for you'}).waitFor();
	let bytes = 0;
	for (const path of paths) {
		const response = await fetch(new URL(path, server.baseUrl), {headers: {'accept-encoding': 'gzip'}});
		const length = response.headers.get('content-length');
		bytes += length === null ? (await response.arrayBuffer()).byteLength : Number(length);
	}
	t.true(paths.size > 8);
	t.log(`${bytes} bytes in ${paths.size} files, fonts, sign in and register included`);
	t.true(bytes < most, `${bytes} bytes`);
});

browserTest('who registers an address that has an account is told so once, at the field', async ({t, open, person}) => {
	// A page that nobody watches: browsers log that they were refused.
	const page = await (await open()).context().newPage();
	await page.goto('/register');
	await page.getByLabel('Email').fill(person.email.toUpperCase());
	await page.getByLabel('Password').fill('correct horse battery');
	await page.getByRole('button', {name: 'Register'}).click();
	const said = page.getByText('There is an account with this address already');
	await said.waitFor();
	t.is(await said.count(), 1);
	t.is(await page.getByRole('alert').count(), 0);
	t.is(await page.locator(':focus').getAttribute('name'), 'email');
	await expectFit(t, page, 'register, refused');
});

browserTest(
	'a reload keeps somebody signed in, with no token where a script could keep one',
	async ({t, open, person, server}) => {
		const page = await open({person});
		await page.reload();
		await page.getByRole('heading', {name: 'Approvals', exact: true}).waitFor();
		const cookies = await page.context().cookies(`${server.baseUrl}/v1/auth/refresh`);
		const refresh = cookies.find(({name}) => name === 'signalbox_refresh');
		t.like(refresh, {httpOnly: true, sameSite: 'Strict', path: '/v1/auth'});
		const kept = await page.evaluate(() =>
			JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href]),
		);
		t.false(kept.includes(refresh?.value ?? 'there is none'));
		t.notRegex(kept, /eyJ|token/i);
		await page.getByRole('button', {name: /^Account/}).click();
		await page.getByRole('button', {name: 'Sign out'}).click();
		await page.getByRole('heading', {name: 'Sign in'}).waitFor();
		await page.goto('/settings');
		await page.getByRole('heading', {name: 'Sign in'}).waitFor();
	},
);

for (const width of widths)
	browserTest(
		`a channel is made and changed by keyboard, paused, resumed and deleted, and its secret is shown once, at ${width} px`,
		async ({t, open, person}) => {
			const page = await open({width, person});
			await page.goto('/settings/channels');
			await page.getByRole('heading', {name: 'No channel yet'}).waitFor();
			await page.getByRole('button', {name: 'New channel'}).press('Enter');
			await page.getByRole('dialog', {name: 'New channel'}).waitFor();
			await page.keyboard.press('Tab');
			await page.keyboard.type('https://example.com/told');
			await page.getByLabel('System').press('Space');
			await expectFit(t, page, 'a new channel');
			await page.getByLabel('Name').press('Enter');
			const row = page.getByRole('row', {name: /example\.com/});
			await row.getByText('Approval, Webhook failed, Job failed, Chain failed, Budget, Usage', {exact: true}).waitFor();

			await page.getByRole('button', {name: 'New signing secret'}).press('Enter');
			await page.getByRole('button', {name: 'Make a new one'}).press('Enter');
			const secret = page.getByRole('dialog', {name: 'Your signing secret'});
			t.regex(await secret.locator('code').innerText(), /^whsec_/);
			await expectFit(t, page, 'a secret');
			await secret.getByRole('button', {name: 'I have it'}).press('Enter');
			await secret.waitFor({state: 'detached'});

			await row.getByRole('button', {name: 'Change'}).press('Enter');
			await page.getByLabel('Name').fill('On call');
			await page.getByLabel('Name').press('Enter');
			await row.getByText('On call').waitFor();
			await row.getByRole('button', {name: 'Pause'}).press('Enter');
			await row.getByText('Paused').waitFor();
			await row.getByRole('button', {name: 'Resume'}).press('Enter');
			await row.getByText('Active').waitFor();
			await row.getByRole('button', {name: 'Delete'}).press('Enter');
			await page.getByRole('button', {name: 'Delete it'}).press('Enter');
			await page.getByRole('heading', {name: 'No channel yet'}).waitFor();
		},
	);

browserTest(
	'a page goes on as nobody but the person who is shown on it, whoever signed in on another page since',
	async ({t, open, person, server}) => {
		const bob = await registerPerson(createApi(server.baseUrl), 'Bob');
		const other = await open({person});
		// A page of its own, for it meets an expired token, which browsers write to the console.
		const page = await other.context().newPage();
		const tokens = new Set<string>();
		page.on('request', (request) => {
			const {authorization} = request.headers();
			if (authorization !== undefined) tokens.add(authorization);
		});
		// The first to meet the expired token is what a person does.
		await page.route('**/v1/stream*', () => undefined);
		await page.goto('/settings/channels');
		await page.getByRole('button', {name: 'New channel'}).click();
		await page.getByLabel('Address').fill('https://example.com/told');
		await page.getByLabel('System').check();
		await other.getByRole('button', {name: /^Account/}).click();
		await other.getByRole('button', {name: 'Sign out'}).click();
		await other.getByLabel('Email').fill(bob.email);
		await other.getByLabel('Password').fill(bob.password);
		await other.getByRole('button', {name: 'Sign in'}).click();
		await other.getByRole('heading', {name: 'Nothing waits for you'}).waitFor();
		await other.close();
		server.advance(20 * 60_000);
		await page.getByRole('button', {name: 'Make the channel'}).click();
		await page.getByRole('heading', {name: 'Sign in'}).waitFor();
		t.is(tokens.size, 1);
		// Who opens a page anew is told whose session the browser has.
		await page.goto('/settings/channels');
		await page.getByRole('button', {name: /^Account.*Bob/}).waitFor();
		await page.getByRole('heading', {name: 'No channel yet'}).waitFor();
	},
);

browserTest('a page that signs out asks for nothing more, whatever it hears meanwhile', async ({open, person}) => {
	const page = await open({person});
	const [leaving, heard] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	await page.route('**/v1/auth/logout', async (route) => {
		leaving.resolve();
		await heard.promise;
		await route.continue();
	});
	// When it opens, a page asks anew for all that it shows.
	await page.route('**/v1/stream*', async (route) => {
		await leaving.promise;
		await route.continue();
	});
	await page.reload();
	await page.getByRole('heading', {name: 'Nothing waits for you'}).waitFor();
	await page.getByRole('button', {name: /^Account/}).click();
	const asked = leaving.promise.then(() => page.waitForRequest('**/v1/mcp/approvals*'));
	const givenUp = page.waitForEvent('requestfailed', (request) => request.url().includes('/v1/stream'));
	await page.getByRole('button', {name: 'Sign out'}).click();
	await Promise.any([asked, givenUp]);
	heard.resolve();
	await page.getByRole('heading', {name: 'Sign in'}).waitFor();
});

browserTest('after signing in only a path of this site is followed', async ({t, open, person}) => {
	const pathAfter = async (next: string): Promise<string> => {
		const page = await open();
		await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
		await page.getByLabel('Email').fill(person.email);
		await page.getByLabel('Password').fill(person.password);
		await page.getByRole('button', {name: 'Sign in'}).click();
		await page.getByRole('button', {name: /^Account/}).waitFor();
		return page.evaluate(() => location.href.slice(location.origin.length));
	};
	t.is(await pathAfter('/mcp/calls?status=error'), '/mcp/calls?status=error');
	for (const next of [
		'/\t/evil.example/x',
		'//evil.example/x',
		'/\\evil.example',
		'/.//evil.example',
		'https://evil.example',
	])
		t.is(await pathAfter(next), '/approvals', JSON.stringify(next));
});

import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Page} from 'playwright-core';
import {startAgentHost} from '../../../test/support/agent-process.ts';
import {browserTest, expectFit, type Walk, widths} from './support/browser.ts';
import {shared, sharedServer} from './support/shared.ts';

const sharedHost = shared(async (t) => startAgentHost(t, await sharedServer()));

/** A command that writes what could do harm where it was shown carelessly, and ends once a file is there. */
const commandUntil = (file: string): string =>
	`printf '<b>begun</b> \\033[31m\\n'; while ! test -e "${file}"; do sleep 0.05; done; echo ended`;

const makeJob = async ({t}: Walk, page: Page, command: string): Promise<void> => {
	await page.goto('/cron');
	await page.getByRole('heading', {name: 'No job yet'}).waitFor();
	await expectFit(t, page, 'no job');
	await page.getByRole('link', {name: 'Make a job'}).click();
	await page.getByLabel('Name').fill('Nightly backup');
	const meaning = page.getByRole('status', {name: 'What the schedule means'});
	await page.getByLabel('Schedule', {exact: true}).fill('every 7 minutes');
	await meaning.getByText('7 does not divide 60').waitFor();
	await page.getByLabel('Schedule', {exact: true}).fill('every day at 2:30am');
	await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
	await meaning.getByText('30 2 * * *').waitFor();
	await meaning.getByText('02:30').nth(4).waitFor();
	await page.getByRole('textbox', {name: 'Command'}).fill(command);
	await expectFit(t, page, 'a new job');
	await page.getByRole('button', {name: 'Make the job'}).click();
	await page.getByRole('heading', {name: 'It has not run yet'}).waitFor();
	await expectFit(t, page, 'a job');
};

/** Counts the timers that the page starts from now on. */
const countTimers = async (page: Page): Promise<() => Promise<number>> => {
	await page.evaluate(() => {
		const {setInterval: begin} = globalThis;
		const timers = {count: 0};
		const counted = (...args: Parameters<typeof begin>) => {
			timers.count += 1;
			return begin(...args);
		};
		Object.assign(globalThis, {timers, setInterval: counted});
	});
	return () => page.evaluate(() => (globalThis as unknown as {timers: {count: number}}).timers.count);
};

const watchRun = async ({t}: Walk, page: Page, file: string): Promise<void> => {
	const timers = await countTimers(page);
	await page.getByRole('button', {name: 'Run now'}).click();
	const output = page.getByRole('region', {name: 'Output of the run'});
	await output.getByText('<b>begun</b>').waitFor();
	await output.getByText('ESC').waitFor();
	await page.getByText('Running', {exact: true}).waitFor();
	await expectFit(t, page, 'a run');
	await writeFile(file, '');
	await output.getByText('ended').waitFor();
	await page.getByText('Succeeded', {exact: true}).waitFor();
	t.is(await timers(), 1, 'however often it is drawn, it is read once a second');
};

const deleteHere = async (page: Page, name: string): Promise<void> => {
	await page.getByRole('button', {name: 'Delete'}).click();
	await page
		.getByRole('dialog', {name: `Delete ${name}?`})
		.getByRole('button', {name: 'Delete for good'})
		.click();
};

for (const width of widths)
	browserTest(`a job is made from words, and what it writes is seen as it writes it, at ${width} px`, async (walk) => {
		const {person, folder} = await sharedHost();
		const file = join(folder, `go-${width}`);
		const page = await walk.open({width, person});
		await makeJob(walk, page, commandUntil(file));
		await watchRun(walk, page, file);
		await page.goto('/cron/calendar');
		const week = page.getByRole('list', {name: 'The next seven days'}).getByRole('link', {name: 'Nightly backup'});
		await week.first().waitFor();
		// Today's may be over.
		walk.t.true((await week.count()) >= 6);
		await page.getByRole('link', {name: 'Runs'}).click();
		await page.getByRole('cell', {name: 'Nightly backup'}).waitFor();
		await page.goBack();
		await week.first().click();
		await deleteHere(page, 'Nightly backup');
		await page.getByRole('heading', {name: 'No job yet'}).waitFor();
	});

browserTest('the calendar says of how many jobs it tells nothing', async ({t, open}) => {
	const {person, mine} = await sharedHost();
	const page = await open({person});
	const words = page.getByText('Shown are the 60 jobs that run next; 2 more may run in these days, too.');
	const job = {name: 'Often', command: 'true', schedule: 'hourly'};
	const ids: string[] = [];
	while (ids.length < 62) ids.push((await mine.post('/v1/cron-jobs', job)).body.id);
	await page.goto('/cron/calendar');
	await words.waitFor();
	await expectFit(t, page, 'many jobs');
	for (const id of ids.splice(0, 2)) await mine.delete(`/v1/cron-jobs/${id}`);
	await page.reload();
	await page.getByRole('region', {name: 'Many times a week'}).getByRole('link').nth(59).waitFor();
	t.is(await page.getByText('Shown are').count(), 0);
	for (const id of ids) await mine.delete(`/v1/cron-jobs/${id}`);
});

browserTest('a job that is being deleted is not read again, whatever happens meanwhile', async ({t, open}) => {
	const {person, mine} = await sharedHost();
	const make = async (name: string): Promise<string> =>
		(await mine.post('/v1/cron-jobs', {name, command: 'true', schedule: '@yearly', is_enabled: false})).body.id;
	const [shown, other] = [await make('Shown'), await make('Other')];
	const page = await open({person});
	await page.goto(`/cron/jobs/${shown}`);
	await page.getByRole('heading', {name: 'It has not run yet'}).waitFor();
	await page.route(`**/v1/cron-jobs/${shown}`, async (route) => {
		const response = await route.fetch();
		const asked = page.waitForRequest(/\/v1\/cron-/, {timeout: 1500}).catch(() => undefined);
		t.is((await mine.post(`/v1/cron-jobs/${other}/run`)).status, 201);
		t.is((await asked)?.url(), undefined);
		await route.fulfill({response});
	});
	await deleteHere(page, 'Shown');
	await page.getByRole('link', {name: 'Other'}).waitFor();
	t.is((await mine.delete(`/v1/cron-jobs/${other}`)).status, 204);
});

const sharedJobs = shared(async () => {
	const {mine} = await sharedHost();
	const commands = {Alarm: 'true', Upload: 'exec sleep 600', Export: 'true'};
	for (const [name, command] of Object.entries(commands))
		await mine.post('/v1/cron-jobs', {name, command, schedule: '@yearly', is_enabled: false});
});

const stepsOf = async (page: Page): Promise<readonly string[]> =>
	page.getByRole('list', {name: 'Steps of the chain'}).locator('.pill').allTextContents();

const makeChain = async ({t}: Walk, page: Page): Promise<void> => {
	await page.goto('/cron/chains');
	await page.getByRole('link', {name: 'Make a chain'}).click();
	await page.getByLabel('Name').fill('Nightly export');
	await page.getByRole('button', {name: 'Add a step'}).click();
	await page.getByRole('button', {name: 'Add a step'}).click();
	await page.getByLabel('Job of step 2').selectOption({label: 'Upload'});
	await page.getByLabel('Job of step 3').selectOption({label: 'Alarm'});
	await page.getByLabel('Condition of step 3').selectOption('on failure');
	await expectFit(t, page, 'a new chain');
	await page.getByRole('button', {name: 'Make the chain'}).click();
	await page.getByRole('heading', {name: 'It has not run yet'}).waitFor();
	await expectFit(t, page, 'a chain');
};

for (const width of widths)
	browserTest(`a chain is made, runs step by step, and is canceled, at ${width} px`, async (walk) => {
		const {person} = await sharedHost();
		await sharedJobs();
		const page = await walk.open({width, person});
		await makeChain(walk, page);
		await page.getByRole('button', {name: 'Run now'}).click();
		const steps = page.getByRole('list', {name: 'Steps of the chain'});
		await steps.getByRole('listitem').nth(1).getByText('Running').waitFor();
		walk.t.deepEqual(await stepsOf(page), ['Succeeded', 'Running', 'Not yet']);
		await expectFit(walk.t, page, 'a run of a chain');
		await page.getByRole('button', {name: 'Cancel'}).click();
		await page.getByRole('button', {name: 'Run again'}).waitFor();
		const [first, second] = await stepsOf(page);
		walk.t.deepEqual([first, second], ['Succeeded', 'Canceled']);
		await page.getByRole('link', {name: 'Chain', exact: true}).click();
		await page.getByRole('region', {name: 'Runs'}).getByText('Canceled').waitFor();
		await deleteHere(page, 'Nightly export');
		await page.getByRole('link', {name: 'Make a chain'}).waitFor();
	});

import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {type Browser, type BrowserContextOptions, chromium, type Page} from 'playwright-core';
import {createApi, type Person, registerPerson} from '../../../../test/support/api.ts';
import type {TestServer} from '../../../../test/support/server.ts';
import {shared, sharedServer} from './shared.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Longer than a busy machine takes for anything. Milliseconds. */
const patience = 60_000;

/** What pages are made for: a desk, and a phone. Pixels. */
export const widths = [1280, 380] as const;

type Width = (typeof widths)[number];

export type WindowOptions = Readonly<{
	width?: Width;
	/** Who is signed in there. */
	person?: Person;
	colorScheme?: NonNullable<BrowserContextOptions['colorScheme']>;
}>;

export type Walk = Readonly<{
	t: ExecutionContext;
	server: TestServer;
	/** Somebody new. */
	person: Person;
	/** Opens a window with cookies of its own; it fails the test when anything is amiss in its console. */
	open(options?: WindowOptions): Promise<Page>;
}>;

/** What goes wrong on a page from now on. */
const watch = (page: Page): readonly string[] => {
	const problems: string[] = [];
	page.on('console', (message) => {
		if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
	});
	page.on('pageerror', (error) => problems.push(String(error)));
	return problems;
};

/** Adds up how far things moved by themselves, from before the first of them is drawn. */
const watchShifts = (): void => {
	const shifts = {sum: 0};
	Object.assign(globalThis, {layoutShifts: shifts});
	new PerformanceObserver((list) => {
		for (const entry of list.getEntries() as (PerformanceEntry & {value: number; hadRecentInput: boolean})[])
			if (!entry.hadRecentInput) shifts.sum += entry.value;
	}).observe({type: 'layout-shift', buffered: true});
};

export const layoutShift = (page: Page): Promise<number> =>
	page.evaluate(() => (globalThis as unknown as {layoutShifts: {sum: number}}).layoutShifts.sum);

const sharedBrowser = shared(async (t): Promise<Browser> => {
	const browser = await chromium.launch({executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage']});
	t.teardown(() => browser.close());
	return browser;
});

const signIn = async (page: Page, {email, password}: Person): Promise<void> => {
	await page.goto('/sign-in');
	await page.getByLabel('Email').fill(email);
	await page.getByLabel('Password').fill(password);
	await page.getByRole('button', {name: 'Sign in'}).click();
	await page.waitForURL('**/approvals');
};

const walk = async (t: ExecutionContext, run: (walk: Walk) => Promise<void>): Promise<void> => {
	const [browser, server] = await Promise.all([sharedBrowser(), sharedServer()]);
	const pages: (readonly string[])[] = [];
	const open = async ({width = 1280, person, ...options}: WindowOptions = {}): Promise<Page> => {
		const viewport = {width, height: 800};
		// A colour on its way to another one may be seen when nobody could read it.
		const steady = {reducedMotion: 'reduce'} as const;
		const context = await browser.newContext({viewport, baseURL: server.baseUrl, ...steady, ...options});
		t.teardown(() => context.close());
		context.setDefaultTimeout(patience);
		await context.addInitScript(watchShifts);
		const page = await context.newPage();
		pages.push(watch(page));
		if (person !== undefined) await signIn(page, person);
		return page;
	};
	await run({t, server, person: await registerPerson(createApi(server.baseUrl), 'Ada'), open});
	for (const problems of pages) t.deepEqual(problems, []);
};

/**
 * Walks in a real browser against a real server, both of which the tests of a file share. Where there is no Chromium, it
 * says so and passes.
 */
export const browserTest = (title: string, run: (walk: Walk) => Promise<void>): void => {
	test.serial(title, async (t) => {
		t.timeout(3 * patience);
		if (existsSync(executablePath)) {
			await walk(t, run);
			return;
		}
		t.log(`Nothing was tried: there is no browser at ${executablePath}.`);
		t.pass();
	});
};

/** Where documents keep what pages look like: a folder that SCREENSHOTS names; by default nothing is kept. */
export const keepScreenshot = async (page: Page, name: string): Promise<void> => {
	const folder = process.env.SCREENSHOTS;
	if (folder !== undefined) await page.screenshot({path: join(folder, `${name}.png`)});
};

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** Only what fails is asked about in full, which is most of the work that there is. */
const axeOptions = {resultTypes: ['violations'], selectors: false, preload: false};

type AxeResult = Readonly<{
	violations: readonly Readonly<{id: string; impact: string | null; nodes: readonly Readonly<{html: string}>[]}>[];
}>;

/** What keeps people from using the page, one line each: WCAG 2.2 A and AA, and what axe counts as good practice. */
const accessibilityProblems = async (page: Page): Promise<readonly string[]> => {
	await page.evaluate(axe);
	const {violations} = await page.evaluate(
		(options) => (globalThis as unknown as {axe: {run(asked: object): Promise<AxeResult>}}).axe.run(options),
		axeOptions,
	);
	return violations
		.filter(({impact}) => impact === 'serious' || impact === 'critical')
		.flatMap(({id, nodes}) => nodes.map(({html}) => `${id}: ${html}`));
};

/** Everybody can use the page as it is now, and it is no wider than its window. */
export const expectFit = async (t: ExecutionContext, page: Page, name: string): Promise<void> => {
	const where = `${name} at ${page.viewportSize()?.width} px`;
	t.deepEqual(await accessibilityProblems(page), [], where);
	const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	t.true(excess <= 0, `${where} is ${excess} px too wide`);
};

/** Makes an account on the page, as people do. */
export const register = async (page: Page): Promise<void> => {
	await page.goto('/');
	await page.getByRole('link', {name: 'Register'}).click();
	await page.getByLabel('Name').fill('Grace Hopper');
	await page.getByLabel('Email').fill(`grace-${crypto.randomUUID()}@example.com`);
	await page.getByLabel('Password').fill('correct horse battery');
	await page.getByRole('button', {name: 'Register'}).click();
	await page.getByRole('heading', {name: 'Approvals', exact: true}).waitFor();
};

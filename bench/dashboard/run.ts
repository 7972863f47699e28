/**
 * How the dashboard feels, in Chromium and against a server in a process of its own: how soon the inbox can be used, how
 * evenly a long log of calls scrolls, and whether a burst of events leaves the page responsive. The machine must do nothing else.
 */
import {parseArgs} from 'node:util';
import {type Browser, chromium, type Page} from 'playwright-core';
import {runBench, whole} from '../run-bench.ts';
import {startServerProcess} from '../server-process.ts';
import {makePerson} from './person.ts';
import {startUpstream} from './upstream.ts';

const scrollSeconds = 5;
const burst = {perSecond: 500, seconds: 5};
/** What the project promises. */
const limits = {interactive_ms: 1000, framesPerSecond: 50, longTask_ms: 200};

type Person = Awaited<ReturnType<typeof makePerson>>;

const inTurns = async (count: number, atOnce: number, act: () => Promise<void>): Promise<void> => {
	let left = count;
	const work = async (): Promise<void> => {
		while (left-- > 0) await act();
	};
	await Promise.all(Array.from({length: atOnce}, work));
};

const signIn = async (page: Page, {email, password}: Person): Promise<void> => {
	await page.goto('/sign-in');
	await page.getByLabel('Email').fill(email);
	await page.getByLabel('Password').fill(password);
	await page.getByRole('button', {name: 'Sign in'}).click();
	await page.getByRole('heading', {name: 'Nothing waits for you'}).waitFor();
};

/** From the request for the page, with nothing in the cache, until the inbox answers to keys. Milliseconds. */
const timeToInbox = async (page: Page): Promise<number> => {
	const session = await page.context().newCDPSession(page);
	await session.send('Network.setCacheDisabled', {cacheDisabled: true});
	await page.reload({waitUntil: 'commit'});
	const duration = await page.evaluate(async () => {
		while (!document.querySelector('.empty, .inbox')) await new Promise(requestAnimationFrame);
		dispatchEvent(new KeyboardEvent('keydown', {key: '?'}));
		while (!document.querySelector('dialog[open]')) await new Promise(requestAnimationFrame);
		return performance.now();
	});
	await session.send('Network.setCacheDisabled', {cacheDisabled: false});
	await session.detach();
	await page.keyboard.press('Escape');
	return duration;
};

const framesIn = (trace: Buffer): number => {
	const {traceEvents} = JSON.parse(trace.toString()) as {traceEvents: readonly {name: string}[]};
	return traceEvents.filter(({name}) => name === 'DrawFrame').length;
};

/** Frames a second, by the trace, while the log is scrolled through as fast as somebody can. */
const scrollRate = async (browser: Browser, page: Page): Promise<number> => {
	await page.goto('/mcp/calls');
	await page.locator('.call-row').first().waitFor();
	await browser.startTracing(page, {categories: ['disabled-by-default-devtools.timeline.frame', 'devtools.timeline']});
	const milliseconds = await page.evaluate(async (length) => {
		const began = performance.now();
		while (performance.now() - began < length) {
			scrollBy(0, 100);
			await new Promise(requestAnimationFrame);
		}
		return performance.now() - began;
	}, scrollSeconds * 1000);
	return (framesIn(await browser.stopTracing()) * 1000) / milliseconds;
};

/** The longest task of the page while events come in. Milliseconds. */
const longestTask = async (page: Page, {callTool}: Person): Promise<number> => {
	await page.goto('/mcp/calls');
	await page.locator('.call-row').first().waitFor();
	await page.evaluate(() => {
		const longest = {milliseconds: 0};
		Object.assign(globalThis, {longest});
		new PerformanceObserver((list) => {
			for (const {duration} of list.getEntries()) longest.milliseconds = Math.max(longest.milliseconds, duration);
		}).observe({type: 'longtask'});
	});
	const began = performance.now();
	await inTurns(burst.perSecond * burst.seconds, 24, callTool);
	const rate = (burst.perSecond * burst.seconds * 1000) / (performance.now() - began);
	console.log(`events a second: ${Math.round(rate)}, of ${burst.perSecond} that were wanted`);
	return page.evaluate(() => (globalThis as unknown as {longest: {milliseconds: number}}).longest.milliseconds);
};

const report = (what: string, measured: string, holds: boolean): void => {
	console.log(`${holds ? 'ok  ' : 'MISS'} ${what}: ${measured}`);
	if (!holds) process.exitCode = 1;
};

const measure = async (browser: Browser, baseUrl: string, person: Person): Promise<void> => {
	const context = await browser.newContext({viewport: {width: 1280, height: 800}, baseURL: baseUrl});
	const page = await context.newPage();
	await signIn(page, person);
	const interactive = await timeToInbox(page);
	report('inbox usable, nothing cached', `${Math.round(interactive)} ms`, interactive < limits.interactive_ms);
	const rate = await scrollRate(browser, page);
	report('scrolling through the log', `${rate.toFixed(1)} frames/s`, rate >= limits.framesPerSecond);
	const longest = await longestTask(page, person);
	report('longest task in a burst of events', `${Math.round(longest)} ms`, longest <= limits.longTask_ms);
};

const run = async ({calls}: Readonly<{calls: number}>): Promise<void> => {
	const upstream = await startUpstream();
	const server = await startServerProcess();
	const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
	const browser = await chromium.launch({executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage']});
	try {
		const person = await makePerson(server.baseUrl, upstream.url);
		await inTurns(calls, 24, person.callTool);
		console.log(`${calls} calls in the log`);
		await measure(browser, server.baseUrl, person);
	} finally {
		await browser.close();
		await server.stop();
		upstream.stop();
	}
};

await runBench({
	usage: 'npm run bench:dashboard -- [--calls 10000]',
	readOptions: (args) => {
		const {values} = parseArgs({args: [...args], options: {calls: {type: 'string', default: '10000'}}});
		return {calls: whole('calls', values.calls)};
	},
	run,
});

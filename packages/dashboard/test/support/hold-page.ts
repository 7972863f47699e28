import type {ExecutionContext} from 'ava';
import type {Page} from 'playwright-core';
import {expectFit, keepScreenshot, layoutShift, type Walk, type WindowOptions} from './browser.ts';

/** Until nothing is being read any more. */
export const settle = async (page: Page): Promise<void> => {
	await page.locator('h1').first().waitFor();
	await page.locator('.skeleton').first().waitFor({state: 'hidden'});
	// The stream of what happens never ends, so the network is not idle: nothing has arrived for a while.
	await page.waitForFunction(
		() => {
			const ends = performance
				.getEntriesByType('resource')
				.map((entry) => (entry as PerformanceResourceTiming).responseEnd);
			return performance.now() - Math.max(...ends) > 400;
		},
		undefined,
		{polling: 100},
	);
};

/** A page can be used by everybody, fits its window, and nothing on it moves by itself. */
export const holdPage = async (t: ExecutionContext, page: Page, path: string): Promise<void> => {
	await page.goto(path);
	await settle(page);
	await expectFit(t, page, path);
	const shift = await layoutShift(page);
	t.true(shift <= 0.02, `${path}: things moved by ${shift}`);
};

type Window = WindowOptions &
	Readonly<{/** Under which names pages are kept, by path. */ screenshots?: Readonly<Record<string, string>>}>;

/** Holds pages in several windows of one person at a time, since each mostly waits. */
export const holdPages = async (
	{t, open, person}: Walk,
	windows: readonly Window[],
	paths: readonly string[],
): Promise<void> => {
	const hold = async ({screenshots = {}, ...options}: Window): Promise<void> => {
		const page = await open({...options, person});
		for (const path of paths) {
			await holdPage(t, page, path);
			const name = screenshots[path];
			if (name !== undefined) await keepScreenshot(page, name);
		}
	};
	await Promise.all(windows.map(hold));
};

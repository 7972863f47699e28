/** One page of a list, as the API answers it. */
type Page = Readonly<{data: readonly unknown[]; total: number}>;

/** Asks for one page. */
type List = (page: Readonly<{limit: number; offset: number}>) => Promise<Page>;

const idOf = (item: unknown): unknown => Object(item).id;

/**
 * Every item of a paged list, page by page as they are taken. Pages are cut by position: where the list got shorter since
 * the last one, as when who iterates deletes or changes what a filter asks for, the next begins as much earlier, and what
 * came already is left out by its id. An item that is added to the front of the list meanwhile may be left out.
 * @param limit items a page.
 */
export async function* iteratePages(list: List, limit: number): AsyncGenerator<unknown, void, undefined> {
	const seen = new Set<unknown>();
	const isNew = (item: unknown): boolean => idOf(item) === undefined || !seen.has(idOf(item));
	let offset = 0;
	for (let before: number | undefined; ; ) {
		const {data, total} = await list({limit, offset});
		const removed = Math.max(0, (before ?? total) - total);
		before = total;
		if (removed > 0 && offset > 0) {
			offset = Math.max(0, offset - removed);
			continue;
		}
		for (const item of data.filter(isNew)) {
			seen.add(idOf(item));
			yield item;
		}
		offset += data.length;
		if (data.length === 0 || offset >= total) return;
	}
}

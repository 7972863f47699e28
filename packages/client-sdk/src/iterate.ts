/** One page of a list, as the API answers it. */
type Page = Readonly<{data: readonly unknown[]; total: number}>;

/** Asks for one page. */
type List = (page: Readonly<{limit: number; offset: number}>) => Promise<Page>;

/**
 * Every item of a paged list, page by page as they are taken. Pages are cut by position, so an item that is added to the
 * front of the list meanwhile makes another one appear twice.
 * @param limit items a page.
 */
export async function* iteratePages(list: List, limit: number): AsyncGenerator<unknown, void, undefined> {
	let offset = 0;
	for (;;) {
		const {data, total} = await list({limit, offset});
		yield* data;
		offset += data.length;
		if (data.length === 0 || offset >= total) return;
	}
}

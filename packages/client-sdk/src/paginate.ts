/** One page of a list, as the API answers it. */
export type Page<T> = Readonly<{data: readonly T[]; total: number; limit: number; offset: number}>;

/**
 * Every item of a paged list, page by page as they are asked for:
 * `for await (const call of paginate((query) => client.mcp.calls.list({query}))) ...`
 *
 * Pages are cut by position, so an item that is added to the front of the list meanwhile makes another one appear twice.
 * @param pageSize items a page, 1 to 100.
 */
export async function* paginate<T>(
	list: (query: {limit: number; offset: number}) => Promise<Page<T>>,
	pageSize = 100,
): AsyncGenerator<T, void, undefined> {
	let offset = 0;
	for (;;) {
		const page = await list({limit: pageSize, offset});
		yield* page.data;
		offset += page.data.length;
		if (page.data.length === 0 || offset >= page.total) return;
	}
}

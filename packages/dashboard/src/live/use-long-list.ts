import {useEffect, useRef, useState} from 'preact/hooks';
import {type LiveTopic, listen} from './live.ts';
import {epoch} from './resource-cache.ts';

type ListPage<T> = Readonly<{data: readonly T[]; total: number}>;

type ReadPage<T> = (limit: number, offset: number) => Promise<ListPage<T>>;

export type LongList<T> = Readonly<{
	/** Undefined until the first page was read. */
	total: number | undefined;
	/** The item at a place, if its page was read. */
	at(index: number): T | undefined;
	/** Says which places are in view: their pages are read. */
	show(first: number, last: number): void;
	error: unknown;
	/** Something was added since: places would be others now. */
	hasNews: boolean;
	/** Begins anew with what the list is now; until that was read, what is shown stays. */
	restart(): void;
}>;

const pageSize = 100;
/** Who has scrolled further than that reads: nothing may move under their eyes. Pixels. */
const nearTop = 80;

type Kept<T> = {total: number | undefined; pages: Map<number, readonly T[]>; error: unknown; hasNews: boolean};

const keptOf = <T>(page?: ListPage<T>): Kept<T> => ({
	total: page?.total,
	pages: new Map(page && [[0, page.data]]),
	error: undefined,
	hasNews: false,
});

const usePages = <T>(readPage: ReadPage<T>) => {
	const [, redraw] = useState(0);
	const kept = useRef(keptOf<T>());
	const asked = useRef(new Set<number>());
	const replace = (next: Kept<T>): void => {
		kept.current = next;
		asked.current = new Set(next.pages.keys());
		redraw((count) => count + 1);
	};
	const attempt = async (current: Kept<T>, read: () => Promise<void>): Promise<void> => {
		try {
			await read();
		} catch (error) {
			current.error = error;
		}
		redraw((count) => count + 1);
	};
	return {
		kept,
		clear: () => replace(keptOf()),
		/** What is read of a list that was replaced meanwhile is for nobody. */
		restart: (isWanted: () => boolean = () => true) => {
			const current = kept.current;
			void attempt(current, async () => {
				const page = await readPage(pageSize, 0);
				if (current === kept.current && isWanted()) replace(keptOf(page));
			});
		},
		read: (page: number) => {
			if (asked.current.has(page)) return;
			asked.current.add(page);
			const current = kept.current;
			void attempt(current, async () => {
				current.pages.set(page, (await readPage(pageSize, page * pageSize)).data);
			});
		},
		announce: () => {
			kept.current.hasNews = true;
			redraw((count) => count + 1);
		},
	};
};

/**
 * A list that is too long to read whole: pages are read as they come into view. While somebody looks further down, what is
 * new is only announced.
 */
export const useLongList = <T>(key: string, readPage: ReadPage<T>, topics: readonly LiveTopic[]): LongList<T> => {
	const {kept, clear, restart, read, announce} = usePages(readPage);
	const latest = useRef({restart, announce});
	latest.current = {restart, announce};
	const era = epoch.value;
	useEffect(() => {
		clear();
		restart();
	}, [key, era]);
	useEffect(
		() =>
			listen(topics, () => {
				if (scrollY < nearTop) latest.current.restart(() => scrollY < nearTop);
				else latest.current.announce();
			}),
		[topics.join()],
	);
	const {total, pages, error, hasNews} = kept.current;
	return {
		total,
		error,
		hasNews,
		at: (index) => pages.get(Math.floor(index / pageSize))?.[index % pageSize],
		show: (first, last) => {
			for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page += 1) read(page);
		},
		restart: () => restart(),
	};
};

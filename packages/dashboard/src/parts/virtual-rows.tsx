import {
	elementScroll,
	observeElementOffset,
	observeElementRect,
	observeWindowOffset,
	observeWindowRect,
	type VirtualItem,
	Virtualizer,
	windowScroll,
} from '@tanstack/virtual-core';
import type {RefObject} from 'preact';
import {useEffect, useLayoutEffect, useReducer, useState} from 'preact/hooks';

type Wish = Readonly<{
	count: number;
	/** Until it was drawn. */
	rowHeight: (index: number) => number;
}>;

export type Rows = Readonly<{
	items: readonly VirtualItem[];
	/** Of all rows together. */
	height: number;
	/** Handed to each row that is drawn, to learn how tall it is. */
	measure: (row: Element | null) => void;
}>;

/** Draws only the rows that can be seen, of as many as there are, in an element that scrolls. */
export const useVirtualRows = (scroller: RefObject<HTMLElement | null>, {count, rowHeight}: Wish): Rows => {
	const [, redraw] = useReducer((drawn: number) => drawn + 1, 0);
	const options = {
		count,
		estimateSize: rowHeight,
		getScrollElement: () => scroller.current,
		observeElementRect,
		observeElementOffset,
		scrollToFn: elementScroll,
		overscan: 8,
		onChange: () => redraw(undefined),
	};
	const [rows] = useState(() => new Virtualizer<HTMLElement, Element>(options));
	rows.setOptions(options);
	useEffect(() => rows._didMount(), [rows]);
	useLayoutEffect(() => rows._willUpdate());
	return {items: rows.getVirtualItems(), height: rows.getTotalSize(), measure: rows.measureElement};
};

/** The same, where it is the window that scrolls; `list` is where the rows begin. */
export const useWindowRows = (list: RefObject<HTMLElement | null>, {count, rowHeight}: Wish): Rows => {
	const [, redraw] = useReducer((drawn: number) => drawn + 1, 0);
	const [margin, setMargin] = useState(0);
	const options = {
		count,
		estimateSize: rowHeight,
		getScrollElement: () => window,
		observeElementRect: observeWindowRect,
		observeElementOffset: observeWindowOffset,
		scrollToFn: windowScroll,
		scrollMargin: margin,
		overscan: 10,
		onChange: () => redraw(undefined),
	};
	const [rows] = useState(() => new Virtualizer<Window, Element>(options));
	rows.setOptions(options);
	useEffect(() => rows._didMount(), [rows]);
	useLayoutEffect(() => rows._willUpdate());
	useLayoutEffect(() => {
		// Whatever stands above the list moves it, and makes the page taller or shorter.
		const sizes = new ResizeObserver(() => setMargin((list.current?.getBoundingClientRect().top ?? 0) + scrollY));
		sizes.observe(document.body);
		return () => sizes.disconnect();
	}, [list]);
	const items = rows.getVirtualItems().map((item) => ({...item, start: item.start - margin}));
	return {items, height: rows.getTotalSize(), measure: rows.measureElement};
};

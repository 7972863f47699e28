import type {RefObject} from 'preact';
import {useEffect, useRef} from 'preact/hooks';

/** Puts what was at one place to another. */
export const moved = <T>(list: readonly T[], from: number, to: number): readonly T[] => {
	const next = [...list];
	const [item] = next.splice(from, 1);
	if (item !== undefined) next.splice(to, 0, item);
	return next;
};

/**
 * Lets the children of a list be dragged by their `.drag-handle`, by mouse and by finger. Whoever has neither needs buttons
 * beside it.
 */
export const useSortable = (list: RefObject<HTMLElement | null>, move: (from: number, to: number) => void): void => {
	const latest = useRef(move);
	latest.current = move;
	useEffect(() => {
		let gone = false;
		let end = (): void => undefined;
		void import('sortablejs').then(({default: Sortable}) => {
			if (gone || list.current === null) return;
			const sortable = Sortable.create(list.current, {
				handle: '.drag-handle',
				animation: 120,
				onEnd: ({from, item, oldIndex = 0, newIndex = 0}) => {
					// The order is drawn from the data: what was dragged goes back to where it is known to be.
					item.remove();
					from.insertBefore(item, from.children[oldIndex] ?? null);
					if (newIndex !== oldIndex) latest.current(oldIndex, newIndex);
				},
			});
			end = () => sortable.destroy();
		});
		return () => {
			gone = true;
			end();
		};
	}, []);
};

import {useRef} from 'preact/hooks';
import {moved} from '../parts/sortable-list.ts';
import {showProblem} from '../parts/toasts.tsx';
import type {Resource} from './use-resource.ts';

type Listed = Readonly<{id: string; sort_order: number}>;

/**
 * The order of what a resource lists: it is shown at once, and saved one move after the other, so that the last one stays.
 * @param save Told the order that is meant, and the one before it.
 * @returns the function that moves what is at one place to another.
 */
export const useOrder = <T extends Listed>(
	resource: Resource<readonly T[]>,
	save: (next: readonly T[], before: readonly T[]) => Promise<unknown>,
): ((from: number, to: number) => void) => {
	const shown = useRef<readonly T[]>([]);
	shown.current = resource.data ?? [];
	const saved = useRef<Promise<void>>(Promise.resolve());
	return (from, to) => {
		const before = shown.current;
		const next = moved(before, from, to).map((each, sort_order) => ({...each, sort_order}));
		shown.current = next;
		saved.current = saved.current.then(async () => void (await save(next, before))).catch(showProblem);
		resource.change(() => next, saved.current);
	};
};

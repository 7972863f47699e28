import type {Approval} from '@signalbox/client-sdk';
import {useEffect, useState} from 'preact/hooks';

const stepFrom = (list: readonly Approval[], id: string | undefined, step: number): string | undefined => {
	const at = list.findIndex((approval) => approval.id === id);
	return list[Math.min(Math.max(at + step, 0), list.length - 1)]?.id;
};

const toggled = (set: ReadonlySet<string>, id: string): ReadonlySet<string> => {
	const next = new Set(set);
	if (!next.delete(id)) next.add(id);
	return next;
};

/** Which call is in view, and which are marked. */
export const useSelection = (list: readonly Approval[]) => {
	const [selected, select] = useState<Approval>();
	const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
	const shown = selected ?? list[0];
	// The first one is kept, too: what is in view must not change because something else came first.
	useEffect(() => {
		if (selected === undefined && list[0]) select(list[0]);
	}, [selected, list]);
	const choose = (id: string | undefined): void => {
		const next = list.find((approval) => approval.id === id);
		if (!next) return;
		select(next);
		document.querySelector(`[data-id="${next.id}"]`)?.scrollIntoView({block: 'nearest'});
	};
	return {
		shown,
		choose,
		step: (by: number) => choose(stepFrom(list, shown?.id, by)),
		marked: new Set(list.filter(({id}) => marked.has(id)).map(({id}) => id)) as ReadonlySet<string>,
		mark: (id: string) => setMarked((was) => toggled(was, id)),
		markAll: () => setMarked((was) => new Set(was.size >= list.length ? [] : list.map(({id}) => id))),
	};
};

import {counted} from '../../values/counted.ts';
import {hops} from '../../values/request-headers.ts';
import type {HeaderField} from '../model/message.ts';
import type {MiddlewareConfigs} from '../model/middleware.ts';
import type {Step} from './step.ts';

/** The fields with some replaced: one that is there keeps its place, the others come last; repeats of it go. */
export const withHeaders = (
	headers: readonly HeaderField[],
	set: Readonly<Record<string, string>>,
): readonly HeaderField[] => {
	const added = new Map(Object.entries(set).map(([name, value]) => [name.toLowerCase(), [name, value] as HeaderField]));
	const placed = new Set<string>();
	const kept: HeaderField[] = [];
	for (const field of headers) {
		const name = field[0].toLowerCase();
		const by = added.get(name);
		if (by === undefined) kept.push(field);
		else if (!placed.has(name)) kept.push(by);
		placed.add(name);
	}
	return [...kept, ...Array.from(added).flatMap(([name, field]) => (placed.has(name) ? [] : [field]))];
};

/** Sets headers, whose values may hold references, and removes others. What is both is set. */
export const compileTransformHeaders = ({set = {}, remove = []}: MiddlewareConfigs['transform_headers']): Step => {
	const removed = new Set(remove.map((name) => name.toLowerCase()));
	// Without it a webhook could go round for ever.
	removed.delete(hops.header);
	const message = `${counted(Object.keys(set).length, 'header')} set, ${counted(remove.length, 'name')} removed`;
	return ({message: {headers}}, markers) => {
		const left = headers.filter(([name]) => !removed.has(name.toLowerCase()));
		const marked = Object.entries(set).map(([name, value]) => [name, markers.mark(value)] as const);
		return {outcome: 'passed', message, headers: withHeaders(left, Object.fromEntries(marked))};
	};
};

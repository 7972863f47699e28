import {importsOf} from './imports.ts';
import type {Checker} from './sources.ts';

type Graph = ReadonlyMap<string, readonly string[]>;

const graphOf = (sources: Parameters<Checker>[0]): Graph => {
	const known = new Set(sources.map(({path}) => path));
	const targets = (source: (typeof sources)[number]) =>
		importsOf(source).flatMap(({target, relative}) => (relative && known.has(target) ? [target] : []));
	return new Map(sources.map((source) => [source.path, targets(source)]));
};

/** Finds one cycle for each file that closes one, by depth-first search. Imports of types count: they tie files as well. */
export const findCycles: Checker = (sources) => {
	const graph = graphOf(sources);
	const finished = new Set<string>();
	const cycles: string[] = [];
	const visit = (path: string, trail: readonly string[]): void => {
		const seenAt = trail.indexOf(path);
		if (seenAt >= 0) {
			cycles.push([...trail.slice(seenAt), path].join(' -> '));
			return;
		}
		if (finished.has(path)) return;
		for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
		finished.add(path);
	};
	for (const path of graph.keys()) visit(path, []);
	return cycles;
};

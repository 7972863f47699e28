import type {ErrorDetail} from '../../values/error-detail.ts';
import {isReservedHeader} from './reserved-headers.ts';

/** Blames `path` for what does not compile. */
export const compileProblems = (path: string, compile: () => unknown): readonly ErrorDetail[] => {
	try {
		compile();
		return [];
	} catch (error) {
		if (error instanceof SyntaxError) return [{path, message: error.message}];
		throw error;
	}
};

/** Headers that nobody may set on a delivery, and names that come twice. */
export const headerProblems = (path: string, names: readonly string[]): readonly ErrorDetail[] => {
	const seen = new Set<string>();
	return names.flatMap((name) => {
		const key = name.toLowerCase();
		const isRepeated = seen.has(key);
		seen.add(key);
		if (isReservedHeader(name)) return [{path: `${path}.${name}`, message: 'must not be set here'}];
		return isRepeated ? [{path: `${path}.${name}`, message: 'must not name a header twice'}] : [];
	});
};

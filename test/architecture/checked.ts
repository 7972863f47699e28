import test from 'ava';
import {type Checker, readSources, source} from './sources.ts';

/** Small files that break a rule, each with the path that it pretends to have; `obeys` keeps it. */
export type Samples = Readonly<{
	breaks: readonly (readonly [string, string])[];
	obeys: readonly (readonly [string, string])[];
}>;

const sources = readSources();

/** Two tests for a checker: it has teeth, and it finds nothing to bite in this repository. */
export const testChecker = (rule: string, check: Checker, {breaks, obeys}: Samples): void => {
	test(`${rule}: the check has teeth`, (t) => {
		for (const [path, text] of breaks) t.not(check([source(path, text)]).length, 0, `${path}: ${text}`);
		t.deepEqual(check(obeys.map(([path, text]) => source(path, text))), []);
	});
	test(`${rule}: the repository obeys`, (t) => {
		t.deepEqual(check(sources), []);
	});
};

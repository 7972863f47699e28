/** A statement that a test must prove, or that waits for the issue that builds it. */
export type Requirement = Readonly<{id: string; domain: string; statement: string}>;

export type GateInput = Readonly<{
	requirements: readonly Requirement[];
	/** Issue title by requirement id. */
	later: ReadonlyMap<string, string>;
	/** Titles of the tests that passed. */
	titles: readonly string[];
}>;

const mostIdsInATitle = 3;
const citation = /\[([^\]]*\b[A-Z]{3,}-\d+[^\]]*)\]/g;
const wellFormed = /^[A-Z]{3,}-\d{3}(?: [A-Z]{3,}-\d{3})*$/;

const rowsOf = (text: string, columns: readonly string[]): readonly string[][] => {
	const [header, ...lines] = text.trimEnd().split('\n');
	if (header !== columns.join('\t')) throw new Error(`The first line must be: ${columns.join(', ')}`);
	return lines.map((line, index) => {
		const cells = line.split('\t');
		if (cells.length !== columns.length || cells.includes(''))
			throw new Error(`Line ${index + 2} must have ${columns.length} cells: ${line}`);
		return cells;
	});
};

const refuseDoubles = (ids: readonly string[]): void => {
	const doubled = ids.find((id, index) => ids.indexOf(id) !== index);
	if (doubled !== undefined) throw new Error(`${doubled} stands twice`);
};

/** Reads requirements.tsv. @throws Error on a malformed line or an id that stands twice. */
export const parseRequirements = (text: string): readonly Requirement[] => {
	const rows = rowsOf(text, ['id', 'domain', 'statement']);
	refuseDoubles(rows.map(([id = '']) => id));
	return rows.map(([id = '', domain = '', statement = '']) => ({id, domain, statement}));
};

/** Reads later.tsv: the issue that builds each id. @throws Error on a malformed line or an id that stands twice. */
export const parseLater = (text: string): ReadonlyMap<string, string> => {
	const rows = rowsOf(text, ['id', 'issue']);
	refuseDoubles(rows.map(([id = '']) => id));
	return new Map(rows.map(([id = '', issue = '']) => [id, issue]));
};

/** The ids that a title cites: `[ACC-007 ACC-008] register takes ...`. */
export const idsIn = (title: string): readonly string[] =>
	[...title.matchAll(citation)].flatMap(([, inside = '']) => inside.match(/[A-Z]{3,}-\d+/g) ?? []);

const titleProblems = (title: string): readonly string[] => {
	const malformed = [...title.matchAll(citation)].some(([, inside = '']) => !wellFormed.test(inside));
	return [
		...(malformed ? [`cited wrongly, write [ACC-007 ACC-008]: ${title}`] : []),
		...(idsIn(title).length > mostIdsInATitle ? [`more than ${mostIdsInATitle} ids in one title: ${title}`] : []),
	];
};

const statusProblem = (id: string, cited: boolean, later: string | undefined): string | undefined => {
	if (cited && later !== undefined) return `${id} is cited by a test and still in later.tsv ("${later}")`;
	if (!cited && later === undefined) return `${id} is neither cited by a test that passed nor in later.tsv`;
	return undefined;
};

/** Everything that is wrong with how tests cite requirements, one problem a line; empty when nothing is. */
export const findCoverageProblems = ({requirements, later, titles}: GateInput): readonly string[] => {
	const known = new Map(requirements.map((requirement) => [requirement.id, requirement]));
	const cited = new Set(titles.flatMap(idsIn));
	return [
		...titles.flatMap(titleProblems),
		...[...cited].filter((id) => !known.has(id)).map((id) => `${id} is cited and does not exist`),
		...[...later.keys()].filter((id) => !known.has(id)).map((id) => `${id} is in later.tsv and does not exist`),
		...requirements.flatMap(({id, statement}) => {
			const problem = statusProblem(id, cited.has(id), later.get(id));
			return problem === undefined ? [] : [`${problem}: ${statement}`];
		}),
	];
};

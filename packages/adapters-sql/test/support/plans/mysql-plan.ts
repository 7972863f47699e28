import type {Row} from '../../../src/table.ts';
import {configuration, type PlanProblem, tableOf} from './query-plan.ts';

const stepOf = (row: Row) => ({
	type: String(row.type),
	alias: String(row.table ?? ''),
	extra: String(row.Extra ?? ''),
	rows: Number(row.rows ?? 0),
});

/** To sort so few, or to compare with them again and again, takes as long however much else there is. */
const few = 100;

const problemsOf = ({type, extra, rows}: ReturnType<typeof stepOf>): readonly PlanProblem[] => {
	const problems: PlanProblem[] = [];
	if (rows > few && extra.includes('join buffer')) problems.push('builds an index');
	if (rows > few && /Using (filesort|temporary)/.test(extra)) problems.push('sorts');
	// Along an index until enough are found is no scan of the table, unless most are passed over.
	if (rows > 1 && (type === 'ALL' || (type === 'index' && extra.includes('Using where'))))
		problems.push('reads a whole table');
	return problems;
};

/** The steps of a plan of MySQL or MariaDB (tabular EXPLAIN), and the problems among them with what grows with the traffic. */
export const judgeMysqlPlan = (text: string, rows: readonly Row[], tables: ReadonlySet<string>) => {
	const grows = ({alias}: ReturnType<typeof stepOf>): boolean => {
		const table = tableOf(text, alias);
		return tables.has(table) && !configuration.has(table);
	};
	const steps = rows.map(
		({table, type, key, rows: count, Extra}) => `${table} ${type} by ${key}, ${count} rows: ${Extra}`,
	);
	return {steps, problems: [...new Set(rows.map(stepOf).filter(grows).flatMap(problemsOf))]};
};

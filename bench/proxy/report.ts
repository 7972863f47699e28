import {type Goal, isMet} from './goals.ts';
import type {Machine} from './machine.ts';
import type {Stage} from './scenarios.ts';
import {type Outcome, type Row, rowNamed} from './summary.ts';

/** A figure with that many digits behind the point; empty when there is none. */
export const cell = (value: number | undefined, digits: number): string =>
	value === undefined ? '' : value.toFixed(digits);

const columns = ['', 'requests/s', 'x http-proxy', 'p50 ms', 'p99 ms', 'CPU us/request', 'peak MiB'];

const cellsOf = (row: Row, yardstick: Row | undefined): readonly string[] => [
	row.contestant,
	cell(row.per_second, 0),
	cell(yardstick && row.per_second / yardstick.per_second, 2),
	cell(row.p50_ms, 2),
	cell(row.p99_ms, 2),
	cell(row.cpu_us, 0),
	cell(row.peak_mb, 0),
];

/** A Markdown table: the head, and then the rows, of as many cells each. */
export const formatTable = (lines: readonly (readonly string[])[]): string => {
	const widths = (lines[0] ?? []).map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0), 3));
	const format = (line: readonly string[]): string =>
		`| ${line.map((text, index) => (index === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[index] ?? 0))).join(' | ')} |`;
	const rule = `|${widths.map((width, index) => (index === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
	return [format(lines[0] ?? []), rule, ...lines.slice(1).map(format)].join('\n');
};

const titleOf = ({scenario}: Outcome, {answerBytes}: Stage, upstream: string): string => {
	const {connections, rate} = scenario;
	const pace = rate === undefined ? '' : `, paced at ${rate} requests/s`;
	return `${scenario.name}: ${upstream}, answers of ${answerBytes} bytes, ${connections} connection${connections === 1 ? '' : 's'}${pace}`;
};

/** A Markdown table of one scenario, under what it measured. */
export const formatOutcome = (outcome: Outcome, stage: Stage, upstream: string): string => {
	const yardstick = rowNamed(outcome, 'http-proxy');
	const table = formatTable([columns, ...outcome.rows.map((row) => cellsOf(row, yardstick))]);
	return `\n${titleOf(outcome, stage, upstream)}\n\n${table}`;
};

export const formatMachine = ({cores, cpu, node, fdatasync_p50_ms}: Machine): string =>
	`${cores} cores (${cpu}), Node ${node}, fdatasync p50 ${fdatasync_p50_ms.toFixed(3)} ms`;

export const formatGoal = (goal: Goal): string => {
	const {title, bound, limit, unit, value} = goal;
	const verdict = value === undefined ? 'not measured' : isMet(goal) ? 'PASS' : 'FAIL';
	const measured = value === undefined ? '' : `${value.toFixed(2)} ${unit}, `;
	return `${verdict.padEnd(12)} ${title}: ${measured}goal ${bound} ${limit.toFixed(2)} ${unit}`;
};

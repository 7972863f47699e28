import {printable} from './printable.ts';

/** A column of a table: its head, and what stands in it. `style` colors what was laid out. */
export type Column<Row> = Readonly<{head: string; of(row: Row): string; style?(text: string, row: Row): string}>;

/** Rows for people, below their heads; `empty` when there are none. */
export const tableOf = <Row>(rows: readonly Row[], columns: readonly Column<Row>[], empty: string): string => {
	if (rows.length === 0) return `${empty}\n`;
	const cells = rows.map((row) => columns.map((column) => printable(column.of(row))));
	const widths = columns.map(({head}, at) => Math.max(head.length, ...cells.map((line) => line[at]?.length ?? 0)));
	const lay = (texts: readonly string[], row?: Row): string =>
		texts
			.map((text, at) => {
				const padded = at === texts.length - 1 ? text : text.padEnd(widths[at] ?? 0);
				const style = columns[at]?.style;
				return row === undefined || style === undefined ? padded : style(padded, row);
			})
			.join('  ')
			.trimEnd();
	return `${[lay(columns.map(({head}) => head)), ...rows.map((row, at) => lay(cells[at] ?? [], row))].join('\n')}\n`;
};

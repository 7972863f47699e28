import {cell, formatTable} from '../proxy/report.ts';
import type {Delay} from './measure.ts';
import type {Row} from './summary.ts';

const columns = ['', 'delivered/s', 'accepted/s', 'p50 ms', 'p99 ms', 'CPU us/event', 'peak MiB'];

const cellsOf = (row: Row): readonly string[] => [
	row.name,
	cell(row.delivered_per_s, 0),
	cell(row.accepted_per_s, 0),
	cell(row.p50_ms, 2),
	cell(row.p99_ms, 2),
	cell(row.cpu_us, 0),
	cell(row.peak_mb, 0),
];

export const formatRows = (title: string, rows: readonly Row[]): string =>
	`\n${title}\n\n${formatTable([columns, ...rows.map(cellsOf)])}`;

export const formatDelays = (title: string, delays: readonly Delay[]): string => {
	const lines = delays.map(({name, p50_ms, p99_ms}) => [name, cell(p50_ms, 2), cell(p99_ms, 2)]);
	return `\n${title}\n\n${formatTable([['', 'p50 ms', 'p99 ms'], ...lines])}`;
};

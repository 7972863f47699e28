import type {Row} from './table.ts';

/** Deleting a large body touches each of its pages: a batch ends before it has more of them than this. */
const maxBytes = 8 * 1024 * 1024;

/** The first rows, as long as their `bytes` are not too many together; one at least. */
export const handful = (rows: readonly Row[]): readonly Row[] => {
	let bytes = 0;
	return rows.filter((row, index) => {
		bytes += Number(row.bytes ?? 0);
		return index === 0 || bytes <= maxBytes;
	});
};

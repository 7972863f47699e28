import {type Field, fieldValueOf, listText, readField, weekdayRule} from './cron-field.ts';

/** Which of the weekday's days in a month: bits 1 to 5 are the first to the fifth, bit 6 the last. */
type Occurrences = number;

/** For Sunday to Saturday. */
export type Weekdays = readonly Occurrences[];

const fourth = 1 << 4;
const fifth = 1 << 5;
const last = 1 << 6;
/** Each of them. */
export const everyOccurrence: Occurrences = 0b111110;

const nthPattern = /^(\d|[a-z]{3})(?:#(.*)|l)$/;

const bitOf = (nth: string | undefined, part: string): Occurrences => {
	if (nth === undefined) return last;
	if (/^[1-5]$/.test(nth)) return 1 << Number(nth);
	throw new SyntaxError(`'${part}' is no weekday of the month: after # goes 1 to 5.`);
};

/** One way to write the same days: where there is no fifth one, the fourth is the last. */
const normalize = (occurrences: Occurrences): Occurrences => {
	if (!(occurrences & last)) return occurrences;
	return occurrences & fourth ? (occurrences & ~last) | fifth : occurrences & ~fifth;
};

/**
 * Reads weekdays, `5#2` (the second Friday of the month) and `5L` (the last one), in lower case.
 *
 * @throws SyntaxError with the reason for people.
 */
export const readWeekdays = (parts: readonly string[]): Pick<Field, 'isStarred'> & Readonly<{weekdays: Weekdays}> => {
	const weekdays: Occurrences[] = Array.from({length: 7}, () => 0);
	const add = (day: number, occurrences: Occurrences) => {
		weekdays[day % 7] = (weekdays[day % 7] ?? 0) | occurrences;
	};
	const plain = readField(
		parts.filter((part) => !nthPattern.test(part)),
		weekdayRule,
	);
	for (const day of plain.values) add(day, everyOccurrence);
	for (const part of parts) {
		const [matched, day = '', nth] = nthPattern.exec(part) ?? [];
		if (matched) add(fieldValueOf(day, weekdayRule), bitOf(nth, part));
	}
	return {weekdays: weekdays.map(normalize), isStarred: plain.isStarred};
};

/** Weekdays of which each counts. */
export const plainDays = (weekdays: Weekdays): readonly number[] =>
	weekdays.flatMap((occurrences, day) => ((occurrences & everyOccurrence) === everyOccurrence ? [day] : []));

/** The other ones: weekday and which of the month; 0 is the last. */
export const nthDays = (weekdays: Weekdays): readonly (readonly [number, number])[] =>
	weekdays.flatMap((occurrences, day) => {
		if ((occurrences & everyOccurrence) === everyOccurrence) return [];
		const nths = [1, 2, 3, 4, 5].filter((nth) => occurrences & (1 << nth));
		return [...nths, ...(occurrences & last ? [0] : [])].map((nth) => [day, nth] as const);
	});

export const weekdayText = (weekdays: Weekdays): string => {
	const plain = plainDays(weekdays);
	const nths = nthDays(weekdays).map(([day, nth]) => (nth === 0 ? `${day}L` : `${day}#${nth}`));
	return [...(plain.length > 0 ? [listText(plain)] : []), ...nths].join(',');
};

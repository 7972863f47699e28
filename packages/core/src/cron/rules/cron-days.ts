import {dayRule, inOrder} from './cron-field.ts';

/** The days of the month of some months: by number, and the last one. */
export type MonthDays = Readonly<{days: readonly number[]; hasLastDay: boolean; months: readonly number[]}>;

const lengthsOf = (month: number): readonly number[] => {
	if (month === 2) return [28, 29];
	return [4, 6, 9, 11].includes(month) ? [30] : [31];
};

const daysWithin = ({days, hasLastDay}: MonthDays, length: number): readonly number[] =>
	inOrder([...days.filter((day) => day <= length), ...(hasLastDay ? [length] : [])]);

const everyMonth = Array.from({length: 12}, (_, index) => index + 1);

const monthsWithDays = (dates: MonthDays): readonly number[] =>
	dates.months.filter((month) => lengthsOf(month).some((length) => daysWithin(dates, length).length > 0));

/** Without the months in which none of the days comes; every month where they are all that have such a day. */
export const withoutEmptyMonths = (dates: MonthDays): MonthDays => {
	const months = monthsWithDays(dates);
	const most = monthsWithDays({...dates, months: everyMonth}).length;
	return {...dates, months: months.length > 0 && months.length === most ? everyMonth : months};
};

/** One way to write the same dates: no day that does not come, and the last day only where numbers cannot say it. */
export const normalizeDays = (dates: MonthDays): MonthDays & Readonly<{isEveryDay: boolean}> => {
	const {months} = dates;
	const lengths = inOrder(months.flatMap(lengthsOf));
	const days = inOrder(lengths.flatMap((length) => daysWithin(dates, length)));
	const saysAll = lengths.every(
		(length) => days.filter((day) => day <= length).length === daysWithin(dates, length).length,
	);
	if (saysAll) return {days, hasLastDay: false, months, isEveryDay: days.length === (lengths.at(-1) ?? dayRule.to)};
	const beforeLast = lengths.flatMap((length) => daysWithin(dates, length).filter((day) => day < length));
	return {days: inOrder(beforeLast), hasLastDay: true, months, isEveryDay: false};
};

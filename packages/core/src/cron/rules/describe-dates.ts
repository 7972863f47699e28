import type {Schedule} from './cron-expression.ts';
import {nthDays, plainDays, type Weekdays} from './cron-weekdays.ts';
import {monthNames, ordinalOf, weekdayNames} from './schedule-words.ts';

const capitalized = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
const monthName = (month: number): string => capitalized(monthNames[month - 1] ?? '');
const weekdayName = (weekday: number): string => capitalized(weekdayNames[weekday] ?? '');

/** `a, b and c`. */
export const series = (items: readonly (string | number)[]): string =>
	items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

const daySeries = ({days, hasLastDay}: NonNullable<Schedule['days']>): string =>
	`the ${series([...days.map(ordinalOf), ...(hasLastDay ? ['last day'] : [])])}`;

const nthNames = ['last', 'first', 'second', 'third', 'fourth', 'fifth'];

const plainName = (days: readonly number[]): string => {
	if (days.join() === '1,2,3,4,5') return 'weekday';
	return days.join() === '0,6' ? 'weekend' : series(days.map(weekdayName));
};

const weekdayParts = (weekdays: Weekdays): readonly string[] => {
	const plain = plainDays(weekdays);
	const nths = nthDays(weekdays).map(([day, nth]) => `the ${nthNames[nth]} ${weekdayName(day)} of the month`);
	return [...(plain.length > 0 ? [`every ${plainName(plain)}`] : []), ...(nths.length > 0 ? [series(nths)] : [])];
};

/** Days of every kind, in words that stand after others. */
const parts = ({days, weekdays}: Schedule): string => {
	const all = [...(days ? [`${daySeries(days)} of the month`] : []), ...(weekdays ? weekdayParts(weekdays) : [])];
	return all.length > 0 ? `on ${all.join(' and on ')}` : '';
};

const inMonths = ({months}: Schedule): string => (months.length === 12 ? '' : `in ${series(months.map(monthName))}`);

/** On which days, for after a comma; empty for every day. */
export const describeDates = (schedule: Schedule): string =>
	[parts(schedule), inMonths(schedule)].filter((part) => part !== '').join(' ');

const yearDay = ({days, months, weekdays}: Schedule): string | undefined => {
	const [month, day] = [months[0], days?.days[0]];
	if (weekdays || !days || months.length > 1 || days.days.length !== 1 || days.hasLastDay) return undefined;
	return `every year on ${monthName(month ?? 0)} ${ordinalOf(day ?? 0)}`;
};

/** `every ...` for times to follow, in the words that schedules are written in; undefined where they cannot say it. */
export const describeEvery = (schedule: Schedule): string | undefined => {
	const {days, months, weekdays} = schedule;
	if (months.length < 12) return yearDay(schedule);
	if (!weekdays) return days ? `every month on ${daySeries(days)}` : 'every day';
	return days || nthDays(weekdays).length > 0 ? undefined : weekdayParts(weekdays).join('');
};

import {Cron} from 'croner';
import {hourRule, minuteRule, readField} from './cron-field.ts';
import {remembered} from './remembered.ts';

/**
 * Times that a clock on the wall shows, without a zone: milliseconds since 1970, as if the clock showed UTC. What becomes
 * of them where clocks change is decided by the callers.
 */
export type WallTime = number;

const minute = 60 * 1000;
const day = 24 * 60 * minute;

const dayOf = (wall: WallTime): WallTime => Math.floor(wall / day) * day;

/** Day of the month, month and weekday: few, however many schedules there are. */
const datesOf = (schedule_cron: string): string => schedule_cron.split(' ').slice(2).join(' ');

const everyDate = '* * *';

/** croner finds the dates. It takes 80 KB and 15 microseconds for each of these. */
const engineOf = remembered(
	100,
	(dates) => new Cron(`0 0 ${dates}`, {mode: '5-part', utcOffset: 0, domAndDow: false, paused: true}),
);

const nextDateOf = remembered(2000, (key): WallTime => {
	const [dates = '', from] = key.split('|');
	return (
		engineOf(dates)
			.nextRun(new Date(Number(from)))
			?.getTime() ?? Number.POSITIVE_INFINITY
	);
});

/** The next midnight after `from`, a midnight, with runs on its day. */
const nextDate = (dates: string, from: WallTime): WallTime =>
	dates === everyDate ? from + day : nextDateOf(`${dates}|${from}`);

const previousDate = (dates: string, from: WallTime): WallTime =>
	dates === everyDate
		? from - day
		: (engineOf(dates).previousRuns(1, new Date(from))[0]?.getTime() ?? Number.NEGATIVE_INFINITY);

const isDate = (dates: string, midnight: WallTime): boolean => nextDate(dates, midnight - day) === midnight;

type Times = Readonly<{minutes: readonly number[]; hours: readonly number[]}>;

const timesOf = remembered(5000, (schedule_cron): Times => {
	const [minutes = '', hours = ''] = schedule_cron.split(' ');
	return {
		minutes: readField(minutes.split(','), minuteRule).values,
		hours: readField(hours.split(','), hourRule).values,
	};
});

/** The first time of a day not before `past`, both in minutes since midnight. */
const timeFrom = ({minutes, hours}: Times, past: number): number | undefined => {
	const now = Math.floor(past / 60);
	const sameHour = hours.includes(now) ? minutes.find((each) => each >= past % 60) : undefined;
	if (sameHour !== undefined) return now * 60 + sameHour;
	const hour = hours.find((each) => each > now);
	return hour === undefined ? undefined : hour * 60 + (minutes[0] ?? 0);
};

/** The last time of a day not after `past`, both in minutes since midnight. */
const timeUpTo = ({minutes, hours}: Times, past: number): number | undefined => {
	const now = Math.floor(past / 60);
	const sameHour = hours.includes(now) ? minutes.findLast((each) => each <= past % 60) : undefined;
	if (sameHour !== undefined) return now * 60 + sameHour;
	const hour = hours.findLast((each) => each < now);
	return hour === undefined ? undefined : hour * 60 + (minutes.at(-1) ?? 0);
};

/** The first one after `wall`; Infinity when there is none before the year 3000. */
export const nextWall = (schedule_cron: string, wall: WallTime): WallTime => {
	const [times, dates, today] = [timesOf(schedule_cron), datesOf(schedule_cron), dayOf(wall)];
	const left = timeFrom(times, Math.floor((wall - today) / minute) + 1);
	if (left !== undefined && isDate(dates, today)) return today + left * minute;
	return nextDate(dates, today) + (timeFrom(times, 0) ?? 0) * minute;
};

const lastMinute = 24 * 60 - 1;

/** The last one before `wall`. */
export const previousWall = (schedule_cron: string, wall: WallTime): WallTime => {
	const [times, dates, today] = [timesOf(schedule_cron), datesOf(schedule_cron), dayOf(wall)];
	const past = timeUpTo(times, Math.ceil((wall - today) / minute) - 1);
	if (past !== undefined && isDate(dates, today)) return today + past * minute;
	return previousDate(dates, today) + (timeUpTo(times, lastMinute) ?? 0) * minute;
};

const countDates = (dates: string, from: WallTime, until: WallTime): number => {
	if (dates === everyDate) return (until - from) / day;
	let count = 0;
	for (let at = nextDate(dates, from - day); at < until; at = nextDate(dates, at)) count += 1;
	return count;
};

const countOnDay = (schedule_cron: string, before: WallTime): number => {
	const today = dayOf(before);
	if (!isDate(datesOf(schedule_cron), today)) return 0;
	const {minutes, hours} = timesOf(schedule_cron);
	const past = Math.ceil((before - today) / minute);
	const now = Math.floor(past / 60);
	const inHour = hours.includes(now) ? minutes.filter((each) => each < past % 60).length : 0;
	return hours.filter((each) => each < now).length * minutes.length + inHour;
};

/** How many there are from `from` until before `until`: by the day, at about 5 microseconds each where dates matter. */
export const countWalls = (schedule_cron: string, from: WallTime, until: WallTime): number => {
	if (until <= from) return 0;
	const {minutes, hours} = timesOf(schedule_cron);
	const days = countDates(datesOf(schedule_cron), dayOf(from), dayOf(until));
	return days * minutes.length * hours.length - countOnDay(schedule_cron, from) + countOnDay(schedule_cron, until);
};

import {readCron, type Schedule} from './cron-expression.ts';
import {hourRule, minuteRule, stepText} from './cron-field.ts';
import {describeDates, describeEvery, series} from './describe-dates.ts';

const twoDigits = (value: number): string => String(value).padStart(2, '0');
const clockText = (hour: number, minute: number): string => `${twoDigits(hour)}:${twoDigits(minute)}`;

const mostTimes = 8;

/** `at 09:00 and 17:00`, where the schedule is a list of times that somebody would read. */
const describeTimes = ({minutes, hours, isFixed}: Schedule): string | undefined => {
	if (!isFixed || (minutes.length > 1 && minutes.length * hours.length > mostTimes)) return undefined;
	return `at ${series(hours.flatMap((hour) => minutes.map((minute) => clockText(hour, minute))))}`;
};

/** How many units apart, where that is the same all day. */
const evenStep = (values: readonly number[], rule: typeof minuteRule): number | undefined => {
	const [, step] = /^\*\/(\d+)$/.exec(stepText(values, rule)) ?? [];
	return (rule.to + 1) % Number(step) === 0 ? Number(step) : undefined;
};

const describeMinutes = (minutes: readonly number[]): string => {
	if (minutes.length === 60) return 'every minute';
	const step = evenStep(minutes, minuteRule);
	if (step !== undefined) return `every ${step} minutes`;
	return minutes.length > 1 ? `every hour at minutes ${series(minutes)}` : `every hour at minute ${minutes[0]}`;
};

const describeHours = (hours: readonly number[]): string => {
	const [first = 0, last = first] = [hours[0], hours.at(-1)];
	if (hours.length === 24) return '';
	return last - first === hours.length - 1
		? ` from ${clockText(first, 0)} to ${clockText(last, 59)}`
		: ` in the hours ${series(hours.map((hour) => clockText(hour, 0)))}`;
};

const describeInterval = ({minutes, hours}: Schedule): string => {
	const step = evenStep(hours, hourRule);
	const isAtZero = minutes.join() === '0';
	if (isAtZero && hours.length === 24) return 'every hour';
	if (minutes.length === 1 && step !== undefined)
		return isAtZero ? `every ${step} hours` : `every ${step} hours at minute ${minutes[0]}`;
	return `${describeMinutes(minutes)}${describeHours(hours)}`;
};

/**
 * What a schedule says, in words for people. Where the words of schedules can say it, it is written in them.
 *
 * @param schedule_cron as `parseSchedule` writes it.
 */
export const describeSchedule = (schedule_cron: string): string => {
	const schedule = readCron(schedule_cron.toLowerCase());
	const times = describeTimes(schedule);
	const every = describeEvery(schedule);
	if (times !== undefined && every !== undefined) return `${every} ${times}`;
	const dates = describeDates(schedule);
	return [times ?? describeInterval(schedule), dates].filter((part) => part !== '').join(', ');
};

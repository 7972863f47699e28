import type {ScheduleReader} from './schedule-reader.ts';

/** Times of a day that share their minute. */
export type Times = Readonly<{minute: number; hours: readonly number[]}>;
type Time = Readonly<{minute: number; hour: number}>;

const named: Readonly<Record<string, Time>> = {noon: {minute: 0, hour: 12}, midnight: {minute: 0, hour: 0}};

const timeOf = (word: string): Time | undefined => {
	if (Object.hasOwn(named, word)) return named[word];
	const [matched, hour, minute = '00', half] = /^(\d{1,2})(?::(\d\d))?(am|pm)?$/.exec(word) ?? [];
	if (!matched || hour === undefined || Number(minute) > 59) return undefined;
	if (half === undefined)
		return word.length === 5 && Number(hour) < 24 ? {minute: Number(minute), hour: Number(hour)} : undefined;
	if (Number(hour) < 1 || Number(hour) > 12) return undefined;
	return {minute: Number(minute), hour: (Number(hour) % 12) + (half === 'pm' ? 12 : 0)};
};

const readTime = (reader: ScheduleReader): Time =>
	reader.acceptAs(timeOf) ?? reader.fail('a time like 9am, 9:30pm, 17:30, noon or midnight');

/** Times after `at`; midnight without. */
export const readTimes = (reader: ScheduleReader): Times => {
	if (!reader.accept('at')) return {minute: 0, hours: [0]};
	const times = reader.list(() => readTime(reader));
	const [{minute} = {minute: 0}] = times;
	if (times.some((time) => time.minute !== minute))
		throw new SyntaxError('The times of one schedule must share their minute, as 9:30am and 5:30pm do.');
	return {minute, hours: times.map(({hour}) => hour)};
};

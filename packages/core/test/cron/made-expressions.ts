import fc from 'fast-check';

/** A field as it was made: its text, and which values it stands for without reading that. */
type Made = Readonly<{text: string; values: ReadonlySet<number>; isStar: boolean; isWild: boolean}>;

export type MadeExpression = Readonly<{
	text: string;
	isFixed: boolean;
	/** Whether a clock that shows this, in milliseconds as if it were UTC, shows a time of the schedule. */
	matches(wall: number): boolean;
	/** Whether its date is one of the schedule, whatever the time. */
	isDay(wall: number): boolean;
}>;

const range = (from: number, to: number, step = 1): readonly number[] =>
	Array.from({length: Math.floor((to - from) / step) + 1}, (_, index) => from + index * step);

const made = (text: string, values: readonly number[], size: number): Made => {
	const set = new Set(values);
	return {text, values: set, isStar: text === '*', isWild: set.size === size || /[*/]/.test(text)};
};

/** Few values are no step: a step of two values is a list. */
const steppedField = (from: number, to: number): fc.Arbitrary<Made> =>
	fc
		.tuple(fc.integer({min: from, max: to}), fc.integer({min: from, max: to}), fc.integer({min: 2, max: 12}))
		.map(([one, other, step]) => [Math.min(one, other), Math.max(one, other), step] as const)
		.filter(([first, last, step]) => (last - first) / step >= 2)
		.map(([first, last, step]) => made(`${first}-${last}/${step}`, range(first, last, step), to - from + 1));

const listedField = (from: number, to: number): fc.Arbitrary<Made> =>
	fc
		.array(fc.tuple(fc.integer({min: from, max: to}), fc.integer({min: 0, max: 4})), {minLength: 1, maxLength: 4})
		.map((parts) => {
			const ranges = parts.map(([first, more]) => [first, Math.min(to, first + more)] as const);
			const text = ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
			return made(
				text,
				ranges.flatMap(([first, last]) => range(first, last)),
				to - from + 1,
			);
		});

const field = (from: number, to: number): fc.Arbitrary<Made> =>
	fc.oneof(
		{weight: 2, arbitrary: fc.constant(made('*', range(from, to), to - from + 1))},
		{weight: 1, arbitrary: steppedField(from, to)},
		{weight: 3, arbitrary: listedField(from, to)},
	);

const dayMs = 24 * 3600 * 1000;

type Days = Readonly<{text: string; isStar: boolean; isDay(wall: number): boolean}>;

const isLastDay = (wall: number): boolean => new Date(wall + dayMs).getUTCDate() === 1;

const monthDays = fc.tuple(field(1, 31), fc.integer({min: 0, max: 5})).map(([days, dice]): Days => {
	const isLast = dice === 0;
	if (!isLast || days.isStar)
		return {text: days.text, isStar: days.isStar, isDay: (wall) => days.values.has(new Date(wall).getUTCDate())};
	return {
		text: `${days.text},L`,
		isStar: false,
		isDay: (wall) => days.values.has(new Date(wall).getUTCDate()) || isLastDay(wall),
	};
});

const nthWeekday = fc.tuple(fc.integer({min: 0, max: 6}), fc.integer({min: 0, max: 5})).map(([day, nth]): Days => {
	const isDay = (wall: number): boolean => {
		const date = new Date(wall);
		if (date.getUTCDay() !== day) return false;
		if (nth > 0) return Math.ceil(date.getUTCDate() / 7) === nth;
		return new Date(wall + 7 * dayMs).getUTCMonth() !== date.getUTCMonth();
	};
	return {text: nth === 0 ? `${day}L` : `${day}#${nth}`, isStar: false, isDay};
});

const plainWeekdays = field(0, 6).map(
	({text, values, isStar}): Days => ({text, isStar, isDay: (wall) => values.has(new Date(wall).getUTCDay())}),
);

const weekdays = fc.oneof({weight: 5, arbitrary: plainWeekdays}, {weight: 1, arbitrary: nthWeekday});

const isDate = (days: Days, week: Days, wall: number): boolean => {
	if (days.isStar) return week.isDay(wall);
	return week.isStar ? days.isDay(wall) : days.isDay(wall) || week.isDay(wall);
};

/** Expressions of five fields, some of which never run. */
export const expressions: fc.Arbitrary<MadeExpression> = fc
	.tuple(field(0, 59), field(0, 23), monthDays, field(1, 12), weekdays)
	.map(([minutes, hours, days, months, week]) => {
		const isDay = (wall: number): boolean =>
			months.values.has(new Date(wall).getUTCMonth() + 1) && isDate(days, week, wall);
		return {
			text: [minutes, hours, days, months, week].map(({text}) => text).join(' '),
			isFixed: !minutes.isWild && !hours.isWild,
			isDay,
			matches: (wall) =>
				minutes.values.has(new Date(wall).getUTCMinutes()) &&
				hours.values.has(new Date(wall).getUTCHours()) &&
				isDay(wall),
		};
	});

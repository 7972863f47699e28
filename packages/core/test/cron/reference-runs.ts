const minute = 60_000;

/** Shows what a clock in the zone shows, as milliseconds as if it were UTC. Asks Intl for the fields, and for no offset. */
const clockIn = (timeZone: string): ((at: number) => number) => {
	const format = new Intl.DateTimeFormat('en-US', {
		timeZone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
	});
	return (at) => {
		const [month = 0, day = 0, year = 0, hour = 0, past = 0] = (format.format(at).match(/\d+/g) ?? []).map(Number);
		return Date.UTC(year, month - 1, day, hour, past);
	};
};

/** What a clock shows from one instant to another, looked at every `step` minutes. */
export type Watch = Readonly<{zone: string; from: number; step: number; shown: readonly number[]}>;

export const watch = (zone: string, [from, until]: readonly [number, number], step: number): Watch => {
	const clock = clockIn(zone);
	const length = Math.floor((until - from) / (step * minute)) + 1;
	return {zone, from, step, shown: Array.from({length}, (_, index) => clock(from + index * step * minute))};
};

export const changesDuring = ({shown, step}: Watch): boolean =>
	shown.some((wall, index) => index > 0 && wall - (shown[index - 1] ?? 0) !== step * minute);

/**
 * The rule of the decisions, said by watching a clock. What `*` and steps say runs whenever the clock shows it. A fixed
 * time runs when the clock shows it first, or has jumped over it.
 */
export const runsWhile = (
	{from, step, shown}: Watch,
	{matches, isFixed}: Readonly<{matches: (wall: number) => boolean; isFixed: boolean}>,
): readonly string[] => {
	const runs: string[] = [];
	let latest = (shown[0] ?? 0) - step * minute;
	for (const [index, wall] of shown.entries()) {
		let runsNow = !isFixed && matches(wall);
		for (let passed = latest + step * minute; isFixed && passed <= wall; passed += step * minute)
			runsNow ||= matches(passed);
		if (runsNow) runs.push(new Date(from + index * step * minute).toISOString());
		latest = Math.max(latest, wall);
	}
	return runs;
};

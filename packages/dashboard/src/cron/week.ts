/** A job with its next runs, as far as they are known. */
export type Upcoming = Readonly<{id: string; name: string; description: string; runs: readonly string[]}>;

export type Entry = Readonly<{id: string; name: string; at: string}>;
export type Day = Readonly<{date: Date; entries: readonly Entry[]}>;

export type Week = Readonly<{
	days: readonly Day[];
	/** Runs more often than is told one by one. */
	often: readonly Upcoming[];
}>;

const daysOfAWeek = 7;
/** Of each job: who runs more often in a week is told of in words. */
export const mostRuns = 29;

const midnightAfter = (now: Date, days: number): Date =>
	new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);

const entriesBetween = (jobs: readonly Upcoming[], from: Date, to: Date): readonly Entry[] =>
	jobs
		.flatMap(({id, name, runs}) => runs.map((at) => ({id, name, at})))
		.filter(({at}) => Date.parse(at) >= from.getTime() && Date.parse(at) < to.getTime())
		.sort((one, other) => one.at.localeCompare(other.at));

/** The next seven days, today first, by the clock of who looks. */
export const weekOf = (jobs: readonly Upcoming[], now: Date): Week => {
	const end = midnightAfter(now, daysOfAWeek).getTime();
	const isOften = ({runs}: Upcoming): boolean => runs.length === mostRuns && Date.parse(runs.at(-1) ?? '') < end;
	const rare = jobs.filter((job) => !isOften(job));
	return {
		days: Array.from({length: daysOfAWeek}, (_, day) => {
			const date = midnightAfter(now, day);
			return {date, entries: entriesBetween(rare, date, midnightAfter(now, day + 1))};
		}),
		often: jobs.filter(isOften),
	};
};

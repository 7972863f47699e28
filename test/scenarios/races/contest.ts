import {tally} from '../../support/tally.ts';
import {type Latencies, race} from './race.ts';

/** What one of those who asked was told. */
export type Told = Readonly<{status: number; id?: string}>;

/** Something that there is only so much of, and many who ask for it at once. */
export type Contest = Readonly<{
	name: string;
	ways: number;
	/** How many get it. */
	most: number;
	/** Where time brings more of it: how many more a second. Default 0. */
	per_second?: number;
	/** What the others are answered. */
	refusal: number;
	/** Asks once, over the process whose turn it is. */
	ask(turn: number): Promise<Told>;
	/** How many got it, by all that can be counted afterwards. */
	kept?(): Promise<Readonly<Record<string, number>>>;
}>;

/** That many, or some more than there is of it. */
export const crowd = (ways: number, most: number): number => Math.max(ways, most + 20);

export type Outcome = Readonly<{
	name: string;
	/** How many got it. */
	granted: number;
	/** How often each status was answered. */
	answers: Readonly<Partial<Record<string, number>>>;
	latencies: Latencies;
	/** What is wrong; empty: nothing. */
	faults: readonly string[];
}>;

const isGranted = ({status}: Told): boolean => status >= 200 && status < 300;

/** Of one thing several may be told: it counts once. */
const grantedAmong = (told: readonly Told[]): number =>
	new Set(told.filter(isGranted).map(({id}, index) => id ?? index)).size;

const faultsOf = (contest: Contest, told: readonly Told[], took: number): readonly string[] => {
	const {most, per_second = 0, refusal} = contest;
	const granted = grantedAmong(told);
	const others = told.filter((one) => !isGranted(one) && one.status !== refusal);
	const flowed = Math.ceil((per_second * took) / 1000);
	return [
		...(granted > most + flowed ? [`${granted} got what there were ${most + flowed} of`] : []),
		...(granted < most ? [`${most - granted} got none although there were ${most}`] : []),
		...others.map(({status}) => `answered ${status}`),
	];
};

/** @returns who got what, and what is wrong with that. */
export const hold = async (contest: Contest): Promise<Outcome> => {
	const {replies, latencies, took} = await race(contest.ways, contest.ask);
	const granted = grantedAmong(replies);
	const kept = Object.entries((await contest.kept?.()) ?? {});
	const faults = [
		...faultsOf(contest, replies, took),
		...kept.filter(([, count]) => count !== granted).map(([name, count]) => `${granted} got it, but ${name}: ${count}`),
	];
	const answers = tally(replies.map(({status}) => String(status)));
	return {name: contest.name, granted, answers, latencies, faults};
};

import {remembered} from './remembered.ts';

/** A time in which a zone keeps its distance from UTC. Milliseconds; `until` is not part of it; a clock shows UTC + `offset`. */
export type ZoneSegment = Readonly<{from: number; until: number; offset: number}>;

const second = 1000;
const week = 7 * 24 * 3600 * second;

/** Zones and their years: more than there are zones, and little more than a kilobyte each. */
const mostZones = 500;
const mostYears = 2000;

const formatOf = remembered(
	mostZones,
	(timeZone) => new Intl.DateTimeFormat('en-US', {timeZone, timeZoneName: 'longOffset'}),
);

/** Whether it is the name of a zone in the IANA database, like `Europe/Berlin` or `UTC`; `+01:00` is none. */
export const isTimezone = (name: string): boolean => {
	if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
	try {
		formatOf(name);
		return true;
	} catch {
		return false;
	}
};

const offsetAt = (zone: string, at: number): number => {
	const [, sign, hours, minutes, seconds = '0'] =
		/GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(formatOf(zone).format(at)) ?? [];
	const size = (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds)) * second;
	return sign === '-' ? -size : size;
};

/** The first second after `from` with another offset; there is one at `until`. */
const changeBetween = (zone: string, from: number, until: number): number => {
	const offset = offsetAt(zone, from);
	let [same, other] = [from, until];
	while (other - same > second) {
		const middle = same + Math.floor((other - same) / (2 * second)) * second;
		if (offsetAt(zone, middle) === offset) same = middle;
		else other = middle;
	}
	return other;
};

/** Looks once a week: no zone changes and changes back within one. */
const segmentsOf = (zone: string, year: number): readonly ZoneSegment[] => {
	const end = Date.UTC(year + 1, 0, 1);
	const segments: ZoneSegment[] = [];
	let from = Date.UTC(year, 0, 1);
	// Most jobs are in this one, and it needs no asking.
	if (zone === 'UTC') return [{from, until: end, offset: 0}];
	let offset = offsetAt(zone, from);
	for (let at = from; at < end; ) {
		const next = Math.min(at + week, end);
		if (offsetAt(zone, next) === offset) {
			at = next;
			continue;
		}
		at = changeBetween(zone, at, next);
		segments.push({from, until: at, offset});
		from = at;
		offset = offsetAt(zone, at);
	}
	return from < end ? [...segments, {from, until: end, offset}] : segments;
};

const yearOf = remembered(mostYears, (key) => {
	const [zone = '', year] = key.split(' ');
	return segmentsOf(zone, Number(year));
});

/**
 * The segment that holds an instant, cut at the turns of years.
 *
 * @param at milliseconds since 1970.
 */
export const segmentAt = (zone: string, at: number): ZoneSegment => {
	const segments = yearOf(`${zone} ${new Date(at).getUTCFullYear()}`);
	const found = segments.find(({until}) => at < until);
	if (!found) throw new RangeError(`${at} is no time`);
	return found;
};

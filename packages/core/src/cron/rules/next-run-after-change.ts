import type {Instant} from '../../values/instant.ts';

/**
 * When something with a schedule runs next after a change of its settings. Under the same schedule it stays as it was, also
 * when it is due already; sooner where that is too late: the clock was far ahead when it was planned, or its schedule
 * could not be read.
 * @param kept null: never, as far as was known.
 * @param planned By the schedule, from now on; null: never.
 */
export const nextRunAfterChange = (
	is_rescheduled: boolean,
	kept: Instant | null,
	planned: Instant | null,
): Instant | null => {
	if (is_rescheduled || kept === null || planned === null) return is_rescheduled ? planned : (kept ?? planned);
	return planned < kept ? planned : kept;
};

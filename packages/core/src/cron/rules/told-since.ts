import {type Instant, plusSeconds} from '../../values/instant.ts';

/** The clock of who tells is not the store's, by which a run ended: no two of them differ by as much. */
const hour = 3600;

/** From when on somebody may have told how a run ended; undefined: who knows. */
export const toldSince = ({completed_at}: Readonly<{completed_at: Instant | null}>): Instant | undefined =>
	completed_at === null ? undefined : plusSeconds(completed_at, -hour);

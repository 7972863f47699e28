import type {FiringTurn, TurnExceptions} from './firing-turns.ts';

/** Firings on their way to the worker, which judges them by the store's clock of this moment. */
export type FiringGroup = Readonly<{turns: readonly FiringTurn[]; offset_ms: number}>;

/** Of each turn. */
export type FiredGroup = readonly TurnExceptions[];

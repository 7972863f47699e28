import type {Fired, Firing} from '@signalbox/core';

/** Firings on their way to the worker, which judges them by the store's clock of this moment. */
export type FiringGroup = Readonly<{firings: readonly Firing[]; offset_ms: number}>;

/** What became of each. */
export type FiredGroup = readonly Fired[];

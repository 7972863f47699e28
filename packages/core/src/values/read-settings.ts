import type {ErrorDetail} from './error-detail.ts';

/** What was asked for as it is stored, or every field at fault. */
export type ReadSettings<T> = Readonly<{ok: true; value: T}> | Readonly<{ok: false; details: readonly ErrorDetail[]}>;

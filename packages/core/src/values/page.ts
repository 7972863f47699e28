/** `limit` records from `offset` on. */
export type PageRequest = Readonly<{limit: number; offset: number}>;

/** One page of a list, and how many records match in all. */
export type Page<T> = Readonly<{data: readonly T[]; total: number; limit: number; offset: number}>;

/** One field at fault: its dotted path, and what is wrong with it. */
export type ErrorDetail = Readonly<{path: string; message: string}>;

/** Where a call goes, with every template resolved: for the moment of use only. */
export type ResolvedTarget =
	| Readonly<{ok: true; url: URL; headers: Readonly<Record<string, string>>}>
	| Readonly<{ok: false; message: string}>;

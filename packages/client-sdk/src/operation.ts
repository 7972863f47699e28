type Kept<Data, Key extends keyof Data> = Key extends 'url' ? never : [Data[Key]] extends [undefined] ? never : Key;

/** What a call takes: `path`, `query`, `body` and `headers` as its operation has them. */
export type CallOptions<Data> = {[Key in keyof Data as Kept<Data, Key>]: Data[Key]} & {
	/** Gives the call up. */
	signal?: AbortSignal;
};

type WithoutPage<Options> = {
	[Key in keyof Options]: Key extends 'query' ? Omit<NonNullable<Options[Key]>, 'limit' | 'offset'> : Options[Key];
};

/** What a call of a list takes, but for its pages. */
export type IterateOptions<Data> = WithoutPage<CallOptions<Data>>;

/** The items of a list, one after the other. */
export type Items<Page extends Readonly<{data: readonly unknown[]}>> = AsyncGenerator<
	Page['data'][number],
	void,
	undefined
>;

/** An answer that says no, for one of these reasons. */
export type Refusal<Status extends number, Code extends string> = Readonly<{status: Status; code: Code}>;

/** Its id, method and path, the items of its largest page where it pages, and whether it is open to anybody. */
export type OperationRow = readonly [id: string, method: string, path: string, pageSize?: number, isOpen?: boolean];

/** The options of a call, whatever its operation. */
export type AnyOptions = Readonly<{
	path?: Readonly<Record<string, unknown>>;
	query?: Readonly<Record<string, unknown>>;
	headers?: Readonly<Record<string, string | undefined>>;
	body?: unknown;
	signal?: AbortSignal;
}>;

/** Sends what a call is made of, and answers the body of its success. */
export type Call = (operation: OperationRow, options: AnyOptions) => Promise<unknown>;

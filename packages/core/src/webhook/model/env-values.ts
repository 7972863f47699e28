/** What `{{env.KEY}}` of an endpoint's configuration stands for now: a value, or why there is none. */
export type EnvValues = ReadonlyMap<string, Readonly<{value: string}> | Readonly<{because: string}>>;

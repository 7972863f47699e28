export type Engine = 'sqlite' | 'mariadb';

/** In what the servers of a run of the tests keep their data. `npm test` makes one run for each. */
export const engine: Engine = process.env.TEST_ENGINE === 'mariadb' ? 'mariadb' : 'sqlite';

/** What a program that starts servers as tests do is told of it. */
export const engineVariables = (): Readonly<Record<string, string>> => {
	const {MARIADB_URL, TEST_SHARED_FOLDER} = process.env;
	return {
		TEST_ENGINE: engine,
		...(MARIADB_URL !== undefined && {MARIADB_URL}),
		...(TEST_SHARED_FOLDER !== undefined && {TEST_SHARED_FOLDER}),
	};
};

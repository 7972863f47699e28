/**
 * Sequelize binds by name: `$1` in the text, `{$1: a}` beside it. SQLite looks each name up among those before it, when it
 * parses and again when it binds: with the hundreds of values of a multi-row INSERT that costs more than the INSERT. Our
 * statements have each name once, in order, and no other `$`, so that they can go in without names.
 */
export const withoutNames = (sql: string): string => sql.replaceAll(/\$\d+/g, '?');

/** The values in that order. */
export const positional = (parameters: unknown): unknown => {
	const isNamed = typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters);
	return isNamed ? Object.values(parameters) : parameters;
};

import {resolve} from 'node:path';

/** Where the database is, for people: its file, or its server and its name there, without what lets somebody in. */
export const placeOf = (databaseUrl: string): string => {
	const file = /^sqlite:(?:\/\/)?(?<file>.+)$/s.exec(databaseUrl)?.groups?.file;
	if (file === ':memory:') return 'in memory';
	if (file !== undefined) return resolve(file);
	const {host = '', pathname = ''} = URL.parse(databaseUrl) ?? {};
	return `${host}${pathname}`;
};

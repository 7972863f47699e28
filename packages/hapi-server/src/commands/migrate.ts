import type {Command} from './command.ts';

/** Applies the migrations that are missing. */
export const migrate: Command = async ({compose, print}) => {
	const composition = await compose();
	try {
		await composition.database.migrate();
		print('The database is up to date.');
	} finally {
		await composition.stop();
	}
};

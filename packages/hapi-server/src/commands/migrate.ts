import {type Command, refuseArguments} from './command.ts';

/** Applies the migrations that are missing. */
export const migrate: Command = async ({args, compose, print}) => {
	refuseArguments('migrate', args);
	const composition = await compose({serves: false});
	try {
		await composition.database.migrate();
		print('The database is up to date.');
	} finally {
		await composition.stop();
	}
};

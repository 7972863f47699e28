import {type Command, UsageError, withComposition} from './command.ts';

/** `backup <file>`: a consistent copy of the database, while the server may go on. */
export const backup: Command = async (context) => {
	const [file, ...rest] = context.args;
	if (file === undefined || rest.length > 0) throw new UsageError('usage: signalbox-server backup <file>');
	await withComposition(context, async ({database}) => {
		await database.backup(file);
		context.print(
			`The database is copied to ${file}. Keep it with the key files: without them its secrets do not open.`,
		);
	});
};

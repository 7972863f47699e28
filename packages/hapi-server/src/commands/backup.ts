import {type Command, explainOutage, UsageError, withDatabase} from './command.ts';

/** `backup <file>`: a consistent copy of the database, while the server may go on; also of one that is not migrated yet. */
export const backup: Command = async (context) => {
	const [file, ...rest] = context.args;
	if (file === undefined || rest.length > 0) throw new UsageError('usage: signalbox-server backup <file>');
	await withDatabase(context, async ({database}) => {
		await database.backup(file).catch((error) => {
			throw explainOutage(error, `The database could not be copied to ${file}`);
		});
		context.print(
			`The database is copied to ${file}. Keep it with the key files: without them its secrets do not open.`,
		);
	});
};

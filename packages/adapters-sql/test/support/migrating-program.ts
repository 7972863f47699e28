import {openDatabase} from '@signalbox/adapters-sql';

/** Opens the database of an address, migrates it, and says how many migrations are left. */
const database = await openDatabase({url: process.argv[2] ?? ''});
await database.migrate();
process.stdout.write(`${(await database.pending()).length}\n`);
await database.close();

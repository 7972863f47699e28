import {openDatabase} from '@signalbox/adapters-sql';
import {chooseDriver} from '../../src/drivers/choose-driver.ts';

/** Opens a database, uses it, and says which library it runs on. */
const database = await openDatabase({url: 'sqlite::memory:'});
await database.migrate();
process.stdout.write((await chooseDriver()).name);
await database.close();

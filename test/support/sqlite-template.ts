import {mkdtemp, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type DriverName, openDatabase} from '@signalbox/adapters-sql';
import {sharedFolder} from './database-pool.ts';

/** @returns the bytes of a database with the schema. */
const makeTemplate = async (driver: DriverName): Promise<Uint8Array> => {
	const folder = await mkdtemp(join(tmpdir(), 'signalbox-template-'));
	const file = join(folder, 'signalbox.db');
	const database = await openDatabase({url: `sqlite:${file}`, driver});
	await database.migrate();
	await database.close();
	return readFile(file).finally(async () => rm(folder, {recursive: true}));
};

/** The first file of a run makes it for all: files that come at the same time make it too, and one of them stays. */
const findTemplate = async (driver: DriverName): Promise<Uint8Array> => {
	if (sharedFolder === undefined) return makeTemplate(driver);
	const file = join(sharedFolder, `${driver.replace(':', '-')}.db`);
	try {
		return await readFile(file);
	} catch {
		const template = await makeTemplate(driver);
		const own = `${file}.${process.pid}-${performance.now()}`;
		await writeFile(own, template);
		await rename(own, file);
		return template;
	}
};

const templates = new Map<DriverName, Promise<Uint8Array>>();

/** Makes a database with the schema, without rows: to copy it takes a fraction of what migrating it does. */
export const copySqliteTemplate = async (storage: string, driver: DriverName = 'node:sqlite'): Promise<void> => {
	const template = templates.get(driver) ?? findTemplate(driver);
	templates.set(driver, template);
	await writeFile(storage, await template);
};

import {openDatabase, type SqlDatabase} from '@signalbox/adapters-sql';
import test, {type ExecutionContext} from 'ava';
import {
	type MariadbInstance,
	startMariadbInstance,
	whyNoMariadbInstance,
} from '../../../../test/support/mariadb-instance.ts';

const missing = await whyNoMariadbInstance();

/** A test on a server of its own, with a migrated database. Where none can be started, it says so and tries nothing. */
export const testWithInstance = (
	title: string,
	run: (t: ExecutionContext, instance: MariadbInstance) => Promise<void>,
): void =>
	test.serial(title, async (t) => {
		if (missing !== undefined) {
			t.log(`not tried: ${missing}`);
			t.pass();
			return;
		}
		const instance = await startMariadbInstance();
		t.teardown(instance.remove);
		await (await openInstance(t, instance)).migrate();
		await run(t, instance);
	});

export const openInstance = async (t: ExecutionContext, {url}: MariadbInstance): Promise<SqlDatabase> => {
	const database = await openDatabase({url});
	t.teardown(database.close);
	return database;
};

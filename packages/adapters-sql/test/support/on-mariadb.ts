import type {TestFn} from 'ava';
import {mariadbIsMissing} from '../../../../test/support/mariadb.ts';
import {createMariadbHarness, type MariadbHarnesses} from './mariadb-harness.ts';

/** Registers tests on databases that are dropped after the last one; says why not where there is no MariaDB. */
export const onMariadb = async (test: TestFn, register: (harnesses: MariadbHarnesses) => void): Promise<void> => {
	const missing = await mariadbIsMissing();
	if (missing !== undefined) {
		test(`nothing runs on MariaDB here: ${missing}`, (t) => {
			t.log(missing);
			t.pass();
		});
		return;
	}
	const harnesses = createMariadbHarness();
	test.after.always(harnesses.drop);
	register(harnesses);
};

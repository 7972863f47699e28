import {DomainError} from '@signalbox/core';
import test from 'ava';
import {createOutageLog} from '../../src/http/outage-log.ts';

test('why the service is unavailable is in the log, and not once for each request', (t) => {
	const told: unknown[] = [];
	const tell = createOutageLog({warn: (line: unknown) => void told.push(line)} as never);
	const cause = new Error('SQLITE_FULL: database or disk is full');
	tell(new DomainError('service_unavailable'));
	for (let number = 0; number < 100; number += 1) tell(new DomainError('service_unavailable', {cause}));
	t.deepEqual(told, [{err: cause}]);
});

import test from 'ava';
import {placeOf} from '../src/database-place.ts';

test('the place of a database is told without what lets somebody in', (t) => {
	t.is(placeOf('mysql://app:s3cret@db.example:3306/signalbox?ssl-mode=REQUIRED'), 'db.example:3306/signalbox');
	t.is(placeOf('sqlite:/var/lib/signalbox.db'), '/var/lib/signalbox.db');
	t.is(placeOf('sqlite://signalbox.db'), `${process.cwd()}/signalbox.db`);
	t.is(placeOf('sqlite::memory:'), 'in memory');
});

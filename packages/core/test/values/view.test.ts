import test from 'ava';
import {z} from 'zod';
import {createView} from '../../src/values/view.ts';

const view = createView(z.object({id: z.string(), team_id: z.string().optional()}));

test('a view has the fields of its schema, whatever else the record holds', (t) => {
	const record = {id: '1', team_id: 'a', password_hash: 'secret'};
	t.deepEqual(view(record), {id: '1', team_id: 'a'});
});

test('a field that the record lacks is left out, not undefined', (t) => {
	t.deepEqual(Object.keys(view({id: '1'})), ['id']);
});

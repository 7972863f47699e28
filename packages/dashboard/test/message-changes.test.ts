import test from 'ava';
import {messageAfter} from '../src/webhooks/message-changes.ts';

const before = {headers: {'X-A': '1'}, body: '{"a":1,"b":2}'};

test('a step is told by the fields that it added, changed and removed', (t) => {
	const {after, changes} = messageAfter(before, {headers: {'X-A': '2'}, body: '{"a":3,"c":4}'});
	t.deepEqual(after, {headers: {'X-A': '2'}, body: '{"a":3,"c":4}'});
	t.deepEqual(changes, [
		{kind: 'changed', place: 'header x-a', value: '2'},
		{kind: 'changed', place: 'body.a', value: '3'},
		{kind: 'added', place: 'body.c', value: '4'},
		{kind: 'removed', place: 'body.b', value: '2'},
	]);
	t.deepEqual(messageAfter(before, {}), {after: before, changes: []});
});

test('a body of which only the beginning is known changed, also where it begins as the one before', (t) => {
	const cut = {body: '{"a":1,"b', body_truncated: true} as const;
	const changed = [{kind: 'changed', place: 'body', value: cut.body}] as const;
	const {after, changes} = messageAfter(before, cut);
	t.deepEqual(changes, changed);
	t.deepEqual(messageAfter(after, cut).changes, changed);
	t.deepEqual(messageAfter(after, {headers: {}}).changes, [{kind: 'removed', place: 'header x-a', value: '1'}]);
	t.deepEqual(messageAfter(after, {body: '{}'}).changes, [{kind: 'changed', place: 'body', value: '{}'}]);
});

import test from 'ava';
import {createDestinationLanes} from '../../src/work/destination-lanes.ts';

const limits = {per_destination: 2, leases_ahead: 8, quick: 1000, patience: 5000};

const openLanes = () => {
	let now = 0;
	const begun: string[] = [];
	const of = (id: string, destination_key = 'a') => ({id, destination_key});
	const lanes = createDestinationLanes<ReturnType<typeof of>>(
		limits,
		({id}) => void begun.push(id),
		() => now,
	);
	const advance = (by: number) => {
		now += by;
	};
	return {lanes, of, begun, advance};
};

test('a destination has so many places; whoever waited longest gets the next one', (t) => {
	const {lanes, of, begun} = openLanes();
	t.deepEqual(
		['1', '2', '3', '4'].map((id) => lanes.enter(of(id))),
		[true, true, false, false],
	);
	t.true(lanes.enter(of('5', 'b')), 'another destination has places of its own');
	t.is(lanes.waiting(), 2);
	lanes.leave(of('2'), 10);
	t.deepEqual(begun, ['3']);
	lanes.leave(of('1'), 10);
	t.deepEqual(begun, ['3', '4']);
	t.is(lanes.waiting(), 0);
});

test('leases ahead are for destinations that are busy and answer quickly, as long as they do', (t) => {
	const {lanes, of, advance} = openLanes();
	t.deepEqual(lanes.ahead(), []);
	lanes.enter(of('1'));
	lanes.enter(of('2'));
	lanes.enter(of('3', 'slow'));
	lanes.enter(of('4', 'slow'));
	advance(500);
	t.deepEqual(lanes.ahead(), [], 'nobody has answered yet');
	lanes.leave(of('1'), 500);
	lanes.leave(of('3', 'slow'), 1500);
	advance(100);
	t.deepEqual(lanes.ahead(), ['a']);
	advance(900);
	t.deepEqual(lanes.ahead(), [], 'it has not answered for a second');
});

test('what waits for too long is given back, and does not begin any more', (t) => {
	const {lanes, of, begun, advance} = openLanes();
	for (const id of ['1', '2', '3']) lanes.enter(of(id));
	advance(3000);
	lanes.enter(of('4'));
	t.deepEqual(lanes.giveBack(), []);
	advance(2000);
	t.deepEqual(
		lanes.giveBack().map(({id}) => id),
		['3'],
	);
	t.deepEqual(
		lanes.giveBack(true).map(({id}) => id),
		['4'],
	);
	lanes.leave(of('1'), 10);
	t.deepEqual(begun, []);
});

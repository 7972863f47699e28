import {addCaller} from '@signalbox/core/testing';
import test, {type ExecutionContext} from 'ava';
import {createUserPlaces, morePlaces} from '../../src/work/user-places.ts';
import {createHeldSender, openDeliveries} from '../delivery/open-deliveries.ts';

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
	Promise.all(Array.from({length: count}, (_, index) => make(index)));

const settings = {in_flight: 64};

/** One user has as many places as that user gets, at destinations that never answer, and as many webhooks wait. */
const openFlooded = async (t: ExecutionContext) => {
	const world = await openDeliveries(t);
	const sender = createHeldSender();
	const loop = await world.startLoop(sender.send, {settings});
	const hanging = await times(120, (index) => world.addDestination(`https://h${index}.example/`));
	for (const each of hanging) await each.accept(loop);
	await world.clock.advance(2000);
	const other = await addCaller(world.ports);
	return {...world, sender, loop, hanging, other};
};

test('one user whose destinations hang leaves places to others, whose webhooks are delivered at once', async (t) => {
	const {addDestination, clock, sender, loop, other} = await openFlooded(t);
	t.is(sender.waiting.length, 56);
	const destination = await addDestination('https://other.example/', other);
	await destination.accept(loop);
	await clock.advance(0);
	t.is(sender.to('other.example').length, 1);
});

test('one user whose bodies take all bytes leaves a place to others, one at a time', async (t) => {
	const {startLoop, addDestination, clock, ports} = await openDeliveries(t);
	const sender = createHeldSender();
	const body = Buffer.byteLength('{"a":1}');
	const loop = await startLoop(sender.send, {settings: {in_flight: 64, bytes: 8 * body}});
	const hanging = await times(20, (index) => addDestination(`https://h${index}.example/`));
	for (const each of hanging) await each.accept(loop);
	await clock.advance(2000);
	t.is(sender.waiting.length, 7);
	const others = await times(20, async (index) => addDestination(`https://o${index}.example/`, await addCaller(ports)));
	for (const each of others) await each.accept(loop);
	await clock.advance(0);
	t.is(sender.to('o0.example').length, 1);
	t.is(sender.waiting.length, 16, 'no more than twice the bytes in all');
	sender.giveAll();
	await clock.advance(0);
	t.is(sender.to('o19.example').length, 1);
});

test('what others had accepted elsewhere is found behind all that waits of one', async (t) => {
	const {addDestination, clock, sender, other} = await openFlooded(t);
	await (await addDestination('https://other.example/', other)).accept();
	await (await addDestination('https://h119.example/', other)).accept();
	await clock.advance(1000);
	t.is(sender.to('other.example').length, 1);
	t.is(sender.to('h119.example').length, 1, 'also where others wait');
});

test('what waits for its user is looked for once a second, and leased as soon as a place of that user is free', async (t) => {
	const {clock, sender, loop} = await openFlooded(t);
	const before = loop.looks();
	for (let second = 0; second < 10; second += 1) await clock.advance(1000);
	t.true(loop.looks() - before <= 11, `${loop.looks() - before} looks`);
	t.is(sender.waiting.length, 56);
	sender.giveAll();
	await clock.advance(0);
	t.is(sender.waiting.length, 56);
});

test('what a webhook goes to takes places one by one, and those that are not used are free again', async (t) => {
	const {startLoop, caller, ports} = await openDeliveries(t);
	const loop = await startLoop(createHeldSender().send, {settings});
	const other = await addCaller(ports);
	const first = loop.reserve();
	t.is(first?.leasesFor({user_id: caller.user_id, deliveries: 1000})?.most, 56);
	t.is(loop.reserve()?.leasesFor({user_id: caller.user_id, deliveries: 1}), undefined);
	const second = loop.reserve();
	t.is(second?.leasesFor({user_id: other.user_id, deliveries: 1000})?.most, 7);
	first?.take([]);
	second?.take([]);
	t.is(loop.reserve()?.leasesFor({user_id: caller.user_id, deliveries: 3})?.most, 3);
});

test('the fewer places are free, the fewer may one user have: one alone leaves an eighth, several share evenly in time', (t) => {
	let free = 512;
	const users = createUserPlaces(() => ({places: free, bytes: 1}));
	const take = (user_id: string, count: number) => {
		users.take(user_id, count);
		free -= count;
	};
	take('a', users.more('a'));
	t.is(free, 64);
	t.deepEqual([users.more('a'), users.more('b')], [0, 56]);
	t.deepEqual([...users.below(1)], [['a', 0]]);
	// Places of `a` end one by one; whoever may takes the next, `a` first.
	for (let ended = 0; ended < 512; ended += 1) {
		take('a', -1);
		for (const user_id of ['a', 'b', 'c']) if (users.more(user_id) > 0) take(user_id, 1);
	}
	t.true(free >= 512 / 22 - 1, `${free} are free`);
	t.deepEqual([...users.below(1).values()], [0, 0, 0]);
	t.is(users.more('d'), Math.ceil((7 * free) / 8));
});

test('the last place is for somebody who has few', (t) => {
	t.is(morePlaces(0, 1), 1);
	t.is(morePlaces(6, 1), 1);
	t.is(morePlaces(7, 1), 0);
	t.is(morePlaces(0, 0), 0);
});

import test from 'ava';
import {answer, createHeldSender, openDeliveries} from '../delivery/open-deliveries.ts';

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
	Promise.all(Array.from({length: count}, (_, index) => make(index)));

test('what is accepted with room is attempted at once, without being looked for', async (t) => {
	const world = await openDeliveries(t);
	const destination = await world.addDestination('https://a.example/');
	const sender = createHeldSender();
	const loop = await world.startLoop(sender.send);
	await destination.accept(loop);
	await world.clock.advance(0);
	t.is(sender.waiting.length, 1);
	sender.giveAll();
	await world.clock.advance(0);
	t.deepEqual(await world.statuses(), {delivered: 1});
	t.deepEqual(loop.ends, ['delivered']);
});

test('what another process accepted is found within a second, a retry when it is due', async (t) => {
	const world = await openDeliveries(t);
	const destination = await world.addDestination('https://a.example/');
	const sender = createHeldSender();
	const loop = await world.startLoop(sender.send);
	await destination.accept();
	await world.clock.advance(1000);
	t.is(sender.waiting.length, 1);
	sender.giveAll(500);
	await world.clock.advance(0);
	await world.clock.advance(5499);
	t.is(sender.waiting.length, 0, 'not before 5 s and its jitter');
	await world.clock.advance(502);
	t.is(sender.waiting.length, 1, 'not later than 6 s');
	sender.giveAll();
	await world.clock.advance(0);
	t.deepEqual(loop.ends, ['retrying', 'delivered']);
});

test('what is sent again is attempted at once, not at the next look', async (t) => {
	const world = await openDeliveries(t);
	const {webhooks, caller, ports, clock} = world;
	const destination = await world.addDestination('https://a.example/');
	const sender = createHeldSender();
	const loop = await world.startLoop(sender.send);
	ports.signals.subscribe(({type}) => type === 'webhook.delivery.due' && loop.wake());
	const id = await destination.accept(loop);
	await clock.advance(0);
	sender.giveAll(410);
	await clock.advance(0);
	t.deepEqual(await world.statuses(), {failed: 1});
	for (const again of [
		() => webhooks.events.retry(caller, id),
		() => webhooks.events.retryAll(caller, {}),
		() => webhooks.events.replay(caller, id),
		() => webhooks.events.replayAll(caller, {status: 'failed'}),
	]) {
		await again();
		await clock.advance(0);
		t.true(sender.waiting.length > 0, String(again));
		sender.giveAll(410);
		await clock.advance(0);
	}
});

test('what found no room is looked for as soon as a place is free', async (t) => {
	const world = await openDeliveries(t);
	const destination = await world.addDestination('https://a.example/');
	const other = await world.addDestination('https://b.example/');
	const sender = createHeldSender();
	const loop = await world.startLoop(sender.send, {settings: {in_flight: 1}});
	await destination.accept(loop);
	await other.accept(loop);
	loop.expect();
	sender.giveAll();
	await world.clock.advance(0);
	t.is(sender.waiting.length, 1);
});

test('[WHK-074] at most ten are in flight to one destination; each that ends makes place for the next', async (t) => {
	const world = await openDeliveries(t);
	const destination = await world.addDestination('https://a.example/');
	const sender = createHeldSender();
	const loop = await world.startLoop(sender.send);
	await times(35, () => destination.accept(loop));
	await world.clock.advance(1000);
	t.is(sender.waiting.length, 10);
	for (let round = 0; round < 4; round += 1) {
		t.true(sender.waiting.length <= 10);
		sender.giveAll();
		await world.clock.advance(1);
	}
	t.is(loop.ends.length, 35);
	t.deepEqual(await world.statuses(), {delivered: 35});
});

test('[WHK-075] destinations that hang hold up no other, even when they are more than there are places', async (t) => {
	const world = await openDeliveries(t);
	const sender = createHeldSender();
	const settings = {in_flight: 100};
	const loop = await world.startLoop(sender.send, {settings});
	const hanging = await times(20, (index) => world.addDestination(`https://h${index}.example/`));
	for (const each of hanging) await times(10, () => each.accept(loop));
	await world.clock.advance(3000);
	const taken = sender.waiting.length;
	t.true(taken < settings.in_flight, `${taken} places are taken`);
	const quick = await world.addDestination('https://quick.example/');
	await times(5, () => quick.accept(loop));
	await world.clock.advance(1000);
	t.true(sender.to('quick.example').length > 0);
	for (const {give} of sender.to('quick.example')) give(answer(200));
	await world.clock.advance(1000);
	t.true(loop.ends.length > 0);
});

test('no more than so many are in flight, and no more bytes', async (t) => {
	for (const settings of [{in_flight: 4}, {bytes: 4 * 7}]) {
		const world = await openDeliveries(t);
		const sender = createHeldSender();
		const loop = await world.startLoop(sender.send, {settings: {...settings, batch: 2}});
		const destinations = await times(12, (index) => world.addDestination(`https://d${index}.example/`));
		for (const destination of destinations) await destination.accept();
		await world.clock.advance(2000);
		t.is(sender.waiting.length, 4);
		const place = loop.reserve();
		t.is(
			place?.leasesFor({user_id: world.caller.user_id, deliveries: 1}),
			undefined,
			'nor does anything that is accepted begin',
		);
		place?.take([]);
		for (let round = 0; round < 6; round += 1) {
			sender.giveAll();
			await world.clock.advance(1000);
		}
		t.deepEqual(await world.statuses(), {delivered: 12});
		t.is(loop.most(), 4);
	}
});

test('[WHK-056] a stop lets attempts end, leases nothing more, and gives back what was leased for it meanwhile', async (t) => {
	const world = await openDeliveries(t);
	const destination = await world.addDestination('https://a.example/');
	const sender = createHeldSender();
	const loop = await world.startLoop(sender.send);
	await destination.accept(loop);
	const late = loop.reserve();
	await world.clock.advance(0);
	const stopped = loop.stop();
	const attempt_ids = [world.ports.ids.next()];
	await destination.accept();
	late?.take(await world.ports.deliveries.lease({attempt_ids, per_destination: 10, lease_seconds: 60}));
	t.is(loop.reserve(), undefined);
	t.is(late?.leasesFor({user_id: world.caller.user_id, deliveries: 1}), undefined);
	sender.giveAll();
	await world.clock.advance(0);
	await stopped;
	t.deepEqual(await world.statuses(), {delivered: 1, pending: 1});
	const next = await world.startLoop(sender.send);
	await world.clock.advance(0);
	t.is(sender.waiting.length, 1, 'what was given back is due at once');
	sender.giveAll();
	await world.clock.advance(0);
	t.deepEqual(next.ends, ['delivered']);
});

test('what has not ended after the grace is given up, and attempted again once its lease is over', async (t) => {
	const world = await openDeliveries(t);
	const destination = await world.addDestination('https://a.example/');
	const sender = createHeldSender();
	const loop = await world.startLoop(sender.send);
	await destination.accept(loop);
	await world.clock.advance(0);
	const stopped = loop.stop();
	await world.clock.advance(0);
	await world.clock.advance(10_000);
	await stopped;
	t.deepEqual(loop.ends, ['abandoned']);
	sender.waiting.splice(0);
	await world.startLoop(sender.send);
	await world.clock.advance(49_000);
	t.is(sender.waiting.length, 0);
	await world.clock.advance(2000);
	t.is(sender.waiting.length, 1);
});

test('a store that is away costs a line in the log and a second, nothing else', async (t) => {
	const world = await openDeliveries(t);
	const destination = await world.addDestination('https://a.example/');
	const sender = createHeldSender();
	const failures = {deliveries: {lease: new Error('disk full')}};
	await destination.accept();
	const loop = await world.startLoop(sender.send, {failures});
	t.regex(loop.logs.join(), /disk full/);
	t.is(sender.waiting.length, 0);
	loop.recover();
	await world.clock.advance(1000);
	t.is(sender.waiting.length, 1);
});

test('how long the longest due has waited is observed', async (t) => {
	const world = await openDeliveries(t);
	const destination = await world.addDestination('https://a.example/');
	const sender = createHeldSender();
	const loop = await world.startLoop(sender.send);
	await times(11, () => destination.accept(loop));
	await world.clock.advance(5000);
	t.true(loop.lag() >= 4 && loop.lag() <= 5);
	sender.giveAll();
	await world.clock.advance(1000);
	t.is(loop.lag(), 0);
});

import {setTimeout as pause} from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import {isFreed} from '../../../../test/support/collect-garbage.ts';
import {type BodyBudgetLimits, createBodyBudget} from '../../src/bodies/body-budget.ts';

const openBudget = (limits: Partial<BodyBudgetLimits> = {}) => {
	const budget = createBodyBudget({capacity: 100, share: 60, patience_ms: 60_000, ...limits});
	const givenUp: string[] = [];
	return {givenUp, open: (owner: string, name = owner) => budget.open(owner, {giveUp: () => void givenUp.push(name)})};
};

test('who asks for more than its share waits, and keeps nobody else out', async (t) => {
	const {open} = openBudget();
	const [one, two, other] = [open('a'), open('a'), open('b')];
	t.true(one.take(40));
	const second = two.take(40);
	t.not(second, true);
	t.true(other.take(40), 'although a waits');
	one.release();
	t.true(await second);
});

test('of one owner whoever came first is served first, also when less would fit', async (t) => {
	const {open} = openBudget();
	const [one, two, three] = [open('a'), open('a'), open('a')];
	t.true(one.take(50));
	const served: string[] = [];
	const waiting = [
		Promise.resolve(two.take(40)).then(() => served.push('two')),
		Promise.resolve(three.take(5)).then(() => served.push('three')),
	];
	one.release();
	await Promise.all(waiting);
	t.deepEqual(served, ['two', 'three']);
});

test('a body that waits and is released asks for no more', async (t) => {
	const {open} = openBudget();
	const [one, two, three] = [open('a'), open('a'), open('a')];
	one.take(50);
	const second = two.take(40);
	two.release();
	t.false(await second);
	one.release();
	t.true(three.take(60));
});

test('while others wait, what came too slowly gives way: the oldest first, and no more than it takes', async (t) => {
	const {open, givenUp} = openBudget({patience_ms: 40});
	const slow = ['first', 'second', 'third'].map((name) => open('a', name));
	for (const body of slow) body.take(20);
	const whole = open('b', 'whole');
	whole.take(40);
	whole.complete();
	await pause(60);
	t.deepEqual(givenUp, [], 'nobody waits');
	t.true(await open('a', 'late').take(30));
	t.deepEqual(givenUp, ['first', 'second']);
	t.true(await open('c').take(30), 'of another owner, for there is no room at all');
	t.deepEqual(givenUp, ['first', 'second', 'third']);
	t.false(await open('c').take(60), 'what is whole does not give way');
});

test('who waits for their own share has nothing of others given up, whatever little waits behind it', async (t) => {
	const {open, givenUp} = openBudget({patience_ms: 40});
	const slow = open('b', 'slow');
	slow.take(10);
	const whole = open('a', 'whole');
	whole.take(50);
	whole.complete();
	await pause(60);
	const large = open('a', 'large').take(20);
	const little = open('a', 'little').take(5);
	t.deepEqual(givenUp, []);
	t.deepEqual(await Promise.all([large, little]), [false, true]);
	t.deepEqual(givenUp, []);
});

test('a body that holds nothing yet is not given up: nobody would have more for it', async (t) => {
	const {open, givenUp} = openBudget({patience_ms: 40});
	open('a', 'nothing yet');
	open('a', 'slow').take(50);
	await pause(60);
	t.true(await open('a', 'late').take(30));
	t.deepEqual(givenUp, ['slow']);
});

test('bodies that all wait for more do not hold each other up', async (t) => {
	const {open, givenUp} = openBudget({patience_ms: 40});
	const [one, two] = [open('a', 'one'), open('a', 'two')];
	one.take(30);
	two.take(30);
	await pause(60);
	const first = one.take(10);
	t.deepEqual(givenUp, ['two']);
	t.true(await first);
});

test('whatever comes in whatever order, nobody holds more than there is, and all of it can be had in the end', async (t) => {
	const step = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({min: 1, max: 60}), fc.boolean());
	await fc.assert(
		fc.asyncProperty(fc.array(step, {maxLength: 40}), async (steps) => {
			const {open} = openBudget();
			const held = new Map<string, number>();
			const taken: (() => void)[] = [];
			const asked = steps.map(async ([owner, bytes, ends]) => {
				const body = open(owner);
				if (!(await body.take(bytes))) return;
				held.set(owner, (held.get(owner) ?? 0) + bytes);
				t.true((held.get(owner) ?? 0) <= 60);
				t.true([...held.values()].reduce((sum, each) => sum + each, 0) <= 100);
				const end = () => {
					held.set(owner, (held.get(owner) ?? 0) - bytes);
					body.release();
				};
				if (ends) end();
				else taken.push(end);
			});
			const all = Promise.all(asked).then(() => true);
			while (!(await Promise.race([all, new Promise((next) => setImmediate(next, false))]))) taken.shift()?.();
			for (const end of taken) end();
			const last = ['a', 'b'].map((owner) => open(owner).take(50));
			t.deepEqual(last, [true, true]);
		}),
		{numRuns: 200},
	);
});

test('a body that came or was given up leads to its keeper no more', async (t) => {
	const budget = createBodyBudget({capacity: 100, share: 60, patience_ms: 60_000});
	const open = () => {
		const keeper = {giveUp: () => {}};
		return {holding: budget.open('a', keeper), keeper: new WeakRef(keeper)};
	};
	const [complete, released, coming] = [open(), open(), open()];
	complete.holding.complete();
	released.holding.release();
	t.deepEqual(await Promise.all([complete, released, coming].map(({keeper}) => isFreed(keeper))), [true, true, false]);
	coming.holding.release();
});

import type {LiveEvent} from '../../live/model/live-event.ts';
import type {LiveAudience, Stores} from '../../ports/index.ts';
import {buildId, builtAt} from '../builders/identity.ts';
import type {Contract} from './contract.ts';
import {awkwardTexts, parallel} from './world.ts';

const audienceOf = (): LiveAudience => ({team_id: buildId(), user_id: buildId()});

const eventOf = (fields: Partial<LiveEvent>): LiveEvent => ({
	...{type: 'notification', team_id: null, user_id: null, data: {}, occurred_at: builtAt},
	...fields,
});

const numbersAfter = async ({liveEvents}: Stores, audience: LiveAudience, seq: number) =>
	(await liveEvents.after(audience, seq, 1000))?.map((event) => event.data.n);

export const liveEvents: Contract = {
	subject: 'live events',
	cases: {
		'what is for a team or a user is read by those of the team and by the user, once, in order': async (
			t,
			{stores},
		) => {
			const [mine, theirs] = [audienceOf(), audienceOf()];
			const text = awkwardTexts.join();
			const events = [
				eventOf({team_id: mine.team_id, type: 'mcp.call', data: {n: 1, text}}),
				eventOf({team_id: theirs.team_id, user_id: theirs.user_id, data: {n: 2}}),
				eventOf({user_id: mine.user_id, data: {n: 3}}),
				eventOf({...mine, data: {n: 4, list: [1, null]}}),
				eventOf({team_id: theirs.team_id, user_id: mine.user_id, data: {n: 5}}),
			];
			await stores.liveEvents.append(events);
			await stores.liveEvents.append([]);
			const read = await stores.liveEvents.after(mine, 0, 10);
			t.deepEqual(
				read?.map(({seq: _, ...event}) => event),
				[0, 2, 3, 4].map((index) => events[index]),
			);
			t.deepEqual(await numbersAfter(stores, theirs, 0), [2, 5]);
			const next = await stores.liveEvents.after(mine, read?.[1]?.seq ?? 0, 1);
			t.deepEqual(next, read?.slice(2, 3));
			t.deepEqual(await numbersAfter(stores, audienceOf(), 0), []);
		},
		'a number is of one event, and who has read one finds no lower one later, while many append': async (
			t,
			{stores},
		) => {
			const audience = audienceOf();
			const seen: number[] = [];
			let isOver = false;
			const read = async (): Promise<void> => {
				for (let last = false; !last; ) {
					last = isOver;
					const found = await stores.liveEvents.after(audience, seen.at(-1) ?? 0, 7);
					seen.push(...(found ?? []).map(({seq}) => seq));
					if (found?.length === 7) last = false;
				}
			};
			const reading = read();
			await parallel(8, async () => {
				for (let turn = 0; turn < 5; turn += 1)
					await stores.liveEvents.append([1, 2, 3].map((n) => eventOf({...audience, data: {n}})));
			});
			isOver = true;
			await reading;
			t.is(seen.length, 120);
			t.deepEqual(
				seen,
				[...new Set(seen)].sort((a, b) => a - b),
			);
		},
		'after what is kept no longer, was lost, or never was, nothing is said to follow': async (t, {stores, advance}) => {
			const audience = audienceOf();
			const add = (n: number) => stores.liveEvents.append([eventOf({...audience, data: {n}})]);
			for (const n of [1, 2, 3]) await add(n);
			t.is(await numbersAfter(stores, audience, 4), undefined);
			await advance(100);
			await add(4);
			t.is(await stores.liveEvents.purge(50, 2), 2);
			t.is(await numbersAfter(stores, audience, 1), undefined);
			t.deepEqual(await numbersAfter(stores, audience, 2), [3, 4]);
			t.is(await stores.liveEvents.purge(50, 10), 1);
			t.is(await stores.liveEvents.purge(50, 10), 0);
			t.deepEqual(await numbersAfter(stores, audience, 3), [4]);
			t.is(await numbersAfter(stores, audience, 0), undefined);
			await stores.liveEvents.forget();
			t.is(await numbersAfter(stores, audience, 4), undefined);
			const {newest} = await stores.liveEvents.listeners();
			await add(5);
			t.deepEqual(await numbersAfter(stores, audience, newest), [5]);
		},
		'what was lost stays lost when older events go': async (t, {stores, advance}) => {
			const audience = audienceOf();
			const add = (n: number) => stores.liveEvents.append([eventOf({...audience, data: {n}})]);
			await add(1);
			const {newest: before} = await stores.liveEvents.listeners();
			await stores.liveEvents.forget();
			await advance(100);
			await add(2);
			t.is(await stores.liveEvents.purge(50, 10), 1);
			t.is(await numbersAfter(stores, audience, before), undefined);
		},
	},
};

export const liveListeners: Contract = {
	subject: 'live listeners',
	cases: {
		'from its confirmation on nothing is missing, for as long as it is renewed in time': async (
			t,
			{stores, advance},
		) => {
			const {liveEvents} = stores;
			const [one, other] = [buildId(), buildId()];
			t.is(await liveEvents.listen([one, other], 60), undefined);
			t.is(await liveEvents.listen([one], 60), undefined);
			await liveEvents.append([eventOf({team_id: one})]);
			const confirmed = await liveEvents.confirm([one, other]);
			t.is(confirmed, (await liveEvents.listeners()).newest);
			await liveEvents.append([eventOf({team_id: one})]);
			t.is(await liveEvents.confirm([one]), (confirmed ?? 0) + 1);
			for (let turn = 0; turn < 3; turn += 1) {
				await advance(40);
				t.is(await liveEvents.listen([one, other], 60), confirmed);
			}
			t.is(await liveEvents.listen([one, buildId()], 60), undefined);
			await advance(61);
			t.is(await liveEvents.confirm([one]), undefined);
			t.is(await liveEvents.listen([one], 60), undefined);
		},
		'a confirmation is of those that it names, and of no other one': async (t, {stores: {liveEvents}}) => {
			const [one, other] = [buildId(), buildId()];
			await liveEvents.listen([one, other], 60);
			const confirmed = await liveEvents.confirm([one]);
			t.is(await liveEvents.listen([one], 60), confirmed);
			t.is(await liveEvents.listen([other], 60), undefined);
		},
		'of several listened to, nothing is missing from the latest confirmation on': async (t, {stores: {liveEvents}}) => {
			const [one, other] = [buildId(), buildId()];
			await liveEvents.listen([one], 60);
			const first = (await liveEvents.confirm([one])) ?? 0;
			await liveEvents.append([eventOf({team_id: other})]);
			await liveEvents.listen([other], 60);
			await liveEvents.confirm([other]);
			t.is(await liveEvents.listen([one, other], 60), first + 1);
		},
		'who is listened to is known for that long, and forgotten with the events': async (t, {stores, advance}) => {
			const {liveEvents} = stores;
			const [one, other] = [buildId(), buildId()];
			t.deepEqual(await liveEvents.listeners(), {ids: [], newest: 0});
			await parallel(5, () => liveEvents.listen([one, other], 60));
			t.deepEqual([...(await liveEvents.listeners()).ids].sort(), [one, other]);
			await advance(30);
			await liveEvents.listen([other], 60);
			await advance(40);
			t.deepEqual((await liveEvents.listeners()).ids, [other]);
			t.is(await liveEvents.purge(3600, 10), 0);
			t.deepEqual((await liveEvents.listeners()).ids, [other]);
		},
	},
};

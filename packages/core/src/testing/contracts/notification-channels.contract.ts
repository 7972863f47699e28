import {buildSealed} from '../builders/environment.ts';
import {buildId} from '../builders/identity.ts';
import {buildNotification, buildNotificationChannel} from '../builders/live.ts';
import type {Contract} from './contract.ts';
import {awkwardTexts, type ContractWorld, idsOf, parallel, reasonOf, tally} from './world.ts';

const later = '2026-02-01T08:00:00.000Z';
const most = 20;

type Fields = Parameters<typeof buildNotificationChannel>[0];

const addChannel = async ({stores}: ContractWorld, fields: Fields) => {
	const channel = buildNotificationChannel(fields);
	await stores.notificationChannels.create(channel, most);
	return channel;
};

export const notificationChannels: Contract = {
	subject: 'notification channels',
	cases: {
		'a channel is answered as it was made, to its user only': async (t, world) => {
			const {stores, addTenant} = world;
			const [{user_id}, other] = [await addTenant(), await addTenant()];
			const channel = await addChannel(world, {user_id, name: awkwardTexts.join(), type: 'slack', is_active: false});
			const {notificationChannels: channels} = stores;
			t.deepEqual(await channels.get(user_id, channel.id), channel);
			t.deepEqual(await channels.list(user_id), [channel]);
			t.is(await channels.get(other.user_id, channel.id), undefined);
			t.deepEqual(await channels.list(other.user_id), []);
			t.is(await channels.update(other.user_id, channel.id, {name: 'mine', updated_at: later}), undefined);
			t.is(await channels.delete(other.user_id, channel.id), false);
			t.deepEqual(await channels.get(user_id, channel.id), channel);
		},
		'they come oldest first, equally old ones by id': async (t, world) => {
			const {user_id} = await world.addTenant();
			const second = await addChannel(world, {user_id, created_at: later});
			const [first, third] = [
				await addChannel(world, {user_id}),
				await addChannel(world, {user_id, created_at: later}),
			];
			t.deepEqual(await world.stores.notificationChannels.list(user_id), [first, second, third]);
		},
		'a user has no more than the most, also under parallel calls; others are not counted': async (t, world) => {
			const [{user_id}, other] = [await world.addTenant(), await world.addTenant()];
			await addChannel(world, {user_id: other.user_id});
			const create = () => reasonOf(world.stores.notificationChannels.create(buildNotificationChannel({user_id}), 3));
			t.deepEqual(tally(await parallel(6, create)), {resolved: 3, conflict: 3});
			t.is((await world.stores.notificationChannels.list(user_id)).length, 3);
		},
		'a user who is gone has none: resource_not_found': async (t, {stores}) => {
			const channel = buildNotificationChannel({user_id: buildId()});
			t.is(await reasonOf(stores.notificationChannels.create(channel, most)), 'resource_not_found');
		},
		'an update changes the fields that it names and no other channel': async (t, world) => {
			const {user_id} = await world.addTenant();
			const [channel, other] = [await addChannel(world, {user_id}), await addChannel(world, {user_id})];
			const {notificationChannels: channels} = world.stores;
			const change = {events: ['system'], url: buildSealed(), updated_at: later} as const;
			const changed = {...channel, ...change, events: ['system' as const]};
			t.deepEqual(await channels.update(user_id, channel.id, {...changed, name: undefined}), changed);
			const off = {is_active: false, name: 'Off', updated_at: later};
			t.deepEqual(await channels.update(user_id, channel.id, off), {...changed, ...off});
			t.deepEqual(await channels.get(user_id, other.id), other);
			t.is(await channels.update(user_id, buildId(), off), undefined);
		},
		'a deleted channel is gone, and gone once': async (t, world) => {
			const {user_id} = await world.addTenant();
			const channel = await addChannel(world, {user_id});
			const deleted = await parallel(5, () => world.stores.notificationChannels.delete(user_id, channel.id));
			t.deepEqual(tally(deleted), {true: 1, false: 4});
			t.deepEqual(await world.stores.notificationChannels.list(user_id), []);
		},
		'what another key seals is found across users, and resealed if it still is the one named': async (t, world) => {
			const [one, two] = [await world.addTenant(), await world.addTenant()];
			const {notificationChannels: channels} = world.stores;
			const url = buildSealed({kid: 'k1'});
			const old = await addChannel(world, {user_id: one.user_id, url});
			const older = await addChannel(world, {user_id: two.user_id, url: buildSealed({kid: 'k1'})});
			const current = await addChannel(world, {user_id: one.user_id, url: buildSealed({kid: 'k2'})});
			t.deepEqual(idsOf(await channels.sealedOtherwise('k2', 10)).toSorted(), idsOf([old, older]).toSorted());
			t.is((await channels.sealedOtherwise('k2', 1)).length, 1);
			t.deepEqual(await channels.sealedOtherwise('k1', 10), [current]);
			const to = buildSealed({kid: 'k2'});
			t.is(await channels.reseal(old.id, {...url, kid: 'k0'}, to), false);
			t.is(await channels.reseal(old.id, buildSealed({kid: 'k1'}), to), false);
			t.is(await channels.reseal(buildId(), url, to), false);
			t.deepEqual(tally(await parallel(5, () => channels.reseal(old.id, url, to))), {true: 1, false: 4});
			t.deepEqual(await channels.get(one.user_id, old.id), {...old, url: to});
		},
	},
};

export const notificationOutbox: Contract = {
	subject: 'notification outbox',
	cases: {
		'a notification waits if an active channel of its user wants its type': async (t, world) => {
			const {stores, addTenant} = world;
			const [{user_id}, other] = [await addTenant(), await addTenant()];
			await addChannel(world, {user_id, events: ['approval_pending', 'budget_alert']});
			await addChannel(world, {user_id: other.user_id, is_active: false});
			const wanted = buildNotification({user_id, type: 'approval_pending', data: {text: awkwardTexts.join()}});
			const unwanted = buildNotification({user_id, type: 'system'});
			const ofOther = buildNotification({user_id: other.user_id});
			await stores.notifications.append(unwanted, wanted, ofOther);
			t.deepEqual(await stores.notificationOutbox.waiting(10), [wanted]);
		},
		'it waits once, whoever appends it and however many want it, until it is done or deleted': async (t, world) => {
			const {stores, addTenant} = world;
			const {user_id} = await addTenant();
			for (let count = 0; count < 2; count += 1) await addChannel(world, {user_id});
			const [first, second, third] = [1, 2, 3].map(() => buildNotification({user_id, data: {subject: 'a'}}));
			if (!first || !second || !third) throw new Error('three were built');
			const {notifications, notificationOutbox: outbox} = stores;
			t.is(await notifications.appendUnlessUnread(first, 'subject'), true);
			t.is(
				await notifications.appendUnlessUnread(buildNotification({user_id, data: {subject: 'a'}}), 'subject'),
				false,
			);
			await notifications.append(second, third);
			t.deepEqual(idsOf(await outbox.waiting(10)), idsOf([first, second, third]));
			t.deepEqual(idsOf(await outbox.waiting(2)), idsOf([first, second]));
			await parallel(3, () => outbox.done(first.id));
			await notifications.delete(user_id, third.id);
			t.deepEqual(idsOf(await outbox.waiting(10)), [second.id]);
			await outbox.done(buildId());
			await outbox.done(second.id);
			t.deepEqual(await outbox.waiting(10), []);
			t.is(await notifications.countUnread(user_id), 2);
		},
		'who has a channel taken away meanwhile does not keep a notification from being written': async (t, world) => {
			const {stores, addTenant} = world;
			const {user_id} = await addTenant();
			const channels = await parallel(5, () => addChannel(world, {user_id}));
			await Promise.all([
				...channels.map(({id}) => stores.notificationChannels.delete(user_id, id)),
				...channels.map(() => stores.notifications.append(buildNotification({user_id}))),
			]);
			t.is(await stores.notifications.countUnread(user_id), 5);
		},
	},
};

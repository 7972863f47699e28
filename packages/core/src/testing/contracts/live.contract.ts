import {buildId} from '../builders/identity.ts';
import {buildAuditEntry, buildNotification} from '../builders/live.ts';
import type {Contract} from './contract.ts';
import {awkwardTexts, idsOf, parallel, tally} from './world.ts';

const firstPage = {limit: 100, offset: 0};
const times = ['2026-01-31T10:00:00.001Z', '2026-01-31T10:00:00.000Z'];
const at = (index: number) => ({created_at: times[index % 2] ?? ''});

type Listed = Readonly<{created_at: string; id: string}>;
const newestFirst = (rows: readonly Listed[]) =>
	rows.toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1));

export const audit: Contract = {
	subject: 'audit',
	cases: {
		'an entry is answered as it was written, to its team only': async (t, {stores, addTenant}) => {
			const [{user_id, team_id}, other] = [await addTenant(), await addTenant()];
			const data = {name: {from: 'A', to: 'B'}, rules: [1, null, true], text: awkwardTexts.join()};
			const entry = buildAuditEntry({user_id, team_id, api_key_id: buildId(), data});
			await stores.audit.append(entry);
			t.deepEqual(await stores.audit.list(team_id, firstPage), {data: [entry], total: 1, ...firstPage});
			t.deepEqual(await stores.audit.list(other.team_id, firstPage), {data: [], total: 0, ...firstPage});
		},
		'entries come newest first, equally new ones by id, and pages join without gaps or doubles': async (t, world) => {
			const {user_id, team_id} = await world.addTenant();
			const entries = Array.from({length: 12}, (_, index) => buildAuditEntry({user_id, team_id, ...at(index)}));
			await Promise.all(entries.map((entry) => world.stores.audit.append(entry)));
			const pages = await parallel(4, (page) => world.stores.audit.list(team_id, {limit: 5, offset: page * 5}));
			t.deepEqual(idsOf(pages.flatMap((page) => page.data)), idsOf(newestFirst(entries)));
			t.deepEqual(tally(pages.map((page) => page.total)), {12: 4});
		},
	},
};

export const notifications: Contract = {
	subject: 'notifications',
	cases: {
		'a notification is answered as it was written, to its user only': async (t, {stores, addTenant}) => {
			const [{user_id}, other] = [await addTenant(), await addTenant()];
			const text = awkwardTexts.join();
			const notification = buildNotification({user_id, title: text, message: text, data: {text, list: [1, null]}});
			await stores.notifications.append(notification);
			const all = {unread_only: false};
			t.deepEqual((await stores.notifications.list(user_id, all, firstPage)).data, [notification]);
			t.deepEqual((await stores.notifications.list(other.user_id, all, firstPage)).data, []);
			t.is(await stores.notifications.countUnread(other.user_id), 0);
			t.is(await stores.notifications.markRead(other.user_id, notification.id), undefined);
			t.is(await stores.notifications.markAllRead(other.user_id), 0);
			t.is(await stores.notifications.delete(other.user_id, notification.id), false);
			t.deepEqual((await stores.notifications.list(user_id, all, firstPage)).data, [notification]);
		},
		'they come newest first, equally new ones by id, and pages join without gaps or doubles': async (t, world) => {
			const {user_id} = await world.addTenant();
			const written = Array.from({length: 12}, (_, index) => buildNotification({user_id, ...at(index)}));
			await Promise.all(written.map((each) => world.stores.notifications.append(each)));
			const list = (page: number) =>
				world.stores.notifications.list(user_id, {unread_only: false}, {limit: 5, offset: page * 5});
			const pages = await parallel(4, list);
			t.deepEqual(idsOf(pages.flatMap((page) => page.data)), idsOf(newestFirst(written)));
			t.deepEqual(tally(pages.map((page) => page.total)), {12: 4});
		},
		'what is read no longer counts as unread, in the list and in the count': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant();
			const [read, unread] = [buildNotification({user_id}), buildNotification({user_id})];
			for (const each of [unread, read]) await stores.notifications.append(each);
			t.is(await stores.notifications.countUnread(user_id), 2);
			for (let again = 0; again < 2; again += 1) {
				t.deepEqual(await stores.notifications.markRead(user_id, read.id), {...read, is_read: true});
			}
			t.is(await stores.notifications.countUnread(user_id), 1);
			const page = await stores.notifications.list(user_id, {unread_only: true}, firstPage);
			t.deepEqual(page, {data: [unread], total: 1, ...firstPage});
			t.is(await stores.notifications.markRead(user_id, buildId()), undefined);
		},
		'reading all answers how many became read, over parallel calls too': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant();
			for (let count = 0; count < 3; count += 1) await stores.notifications.append(buildNotification({user_id}));
			await stores.notifications.append(buildNotification({user_id, is_read: true}));
			const answers = await parallel(5, () => stores.notifications.markAllRead(user_id));
			t.is(
				answers.reduce((sum, count) => sum + count, 0),
				3,
			);
			t.is(await stores.notifications.countUnread(user_id), 0);
		},
		'what goes on failing is told once while nobody has read it, by subject, also in parallel': async (t, world) => {
			const {stores, addTenant} = world;
			const [{user_id}, other] = [await addTenant(), await addTenant()];
			const about = {type: 'endpoint_failure', data: {endpoint_id: 'a', n: 1}} as const;
			const tell = (fields: Partial<Parameters<typeof buildNotification>[0]> = {}) =>
				stores.notifications.appendUnlessUnread(buildNotification({user_id, ...about, ...fields}), 'endpoint_id');
			t.deepEqual(tally(await parallel(5, () => tell())), {true: 1, false: 4});
			t.is(await tell({data: {endpoint_id: "b'"}}), true);
			t.is(await tell({type: 'system'}), true);
			t.is(await tell({user_id: other.user_id}), true);
			t.is(await tell({data: {endpoint_id: "b'", n: 2}}), false);
			await stores.notifications.markAllRead(user_id);
			t.is(await tell(), true);
			t.is(await stores.notifications.countUnread(user_id), 1);
		},
		'whether it was told is looked for from a moment on, where one is given': async (t, world) => {
			const {stores, addTenant} = world;
			const {user_id} = await addTenant();
			const [before, moment] = ['2026-01-31T09:59:59.999Z', '2026-01-31T10:00:00.000Z'];
			const tell = (created_at: string) => {
				const told = buildNotification({user_id, created_at, type: 'cron_failure', data: {execution_id: 'a'}});
				return stores.notifications.appendUnlessUnread(told, 'execution_id', moment);
			};
			t.is(await tell(before), true);
			t.is(await tell(moment), true);
			t.is(await tell(moment), false);
		},
		'several are appended together, also more than one statement takes, and none is nothing to do': async (
			t,
			world,
		) => {
			const {stores, addTenant} = world;
			const {user_id} = await addTenant();
			await stores.notifications.append();
			t.is(await stores.notifications.countUnread(user_id), 0);
			await stores.notifications.append(...Array.from({length: 2500}, () => buildNotification({user_id})));
			t.is(await stores.notifications.countUnread(user_id), 2500);
		},
		'a deleted notification is gone, and gone once': async (t, {stores, addTenant}) => {
			const {user_id} = await addTenant();
			const [gone, kept] = [buildNotification({user_id}), buildNotification({user_id})];
			for (const each of [gone, kept]) await stores.notifications.append(each);
			const deleted = await parallel(5, () => stores.notifications.delete(user_id, gone.id));
			t.deepEqual(tally(deleted), {true: 1, false: 4});
			t.deepEqual((await stores.notifications.list(user_id, {unread_only: false}, firstPage)).data, [kept]);
		},
	},
};

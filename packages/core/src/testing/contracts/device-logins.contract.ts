import {buildId} from '../builders/identity.ts';
import type {Contract} from './contract.ts';
import {type ContractWorld, parallel, tally} from './world.ts';

const challenge = 'c'.repeat(43);
const confirmation = {code_digest: 'digest-of-the-code', lifetime_seconds: 60};
const proof = {code_digest: confirmation.code_digest, code_challenge: challenge};

const request = () => ({
	id: buildId(),
	user_code: 'BCDF-GHJK',
	device_name: 'Ada’s laptop',
	code_challenge: challenge,
	redirect_uri: 'http://127.0.0.1:4711/callback',
	state: 'a state',
});

const open = ({stores}: ContractWorld) => stores.deviceLogins.open(request(), 600);

const confirmed = async (world: ContractWorld) => {
	const {user_id} = await world.addTenant();
	const login = await open(world);
	await world.stores.deviceLogins.confirm(login.id, {...confirmation, user_id});
	return {user_id, login};
};

export const deviceLogins: Contract = {
	subject: 'device logins',
	cases: {
		'an opened login waits, as it was asked for, for its lifetime': async (t, world) => {
			const {stores, advance} = world;
			const login = await open(world);
			t.is(Date.parse(login.expires_at) - Date.parse(login.created_at), 600_000);
			t.deepEqual(await stores.deviceLogins.pending(login.id), login);
			t.is(await stores.deviceLogins.pending(buildId()), undefined);
			await advance(660);
			t.is(await stores.deviceLogins.pending(login.id), undefined);
		},
		'of parallel confirmations one counts, and the login waits no more': async (t, world) => {
			const {stores, addTenant} = world;
			const {user_id} = await addTenant();
			const login = await open(world);
			const answers = await parallel(20, () => stores.deviceLogins.confirm(login.id, {...confirmation, user_id}));
			t.deepEqual(tally(answers), {true: 1, false: 19});
			t.is(await stores.deviceLogins.pending(login.id), undefined);
		},
		'an expired login is not confirmed': async (t, world) => {
			const {user_id} = await world.addTenant();
			const login = await open(world);
			await world.advance(660);
			t.is(await world.stores.deviceLogins.confirm(login.id, {...confirmation, user_id}), false);
		},
		'of parallel uses of a code one is answered by whom and for which device it was confirmed': async (t, world) => {
			const [{user_id, login}, another] = [await confirmed(world), await confirmed(world)];
			const answers = await parallel(20, () => world.stores.deviceLogins.redeem(login.id, proof));
			const [answer, ...others] = answers.filter((each) => each !== undefined);
			t.deepEqual(answer, {user_id, device_name: login.device_name});
			t.deepEqual(others, []);
			t.is((await world.stores.deviceLogins.redeem(another.login.id, proof))?.user_id, another.user_id);
		},
		'another code, another challenge or another login redeems nothing, and spends nothing': async (t, world) => {
			const {login} = await confirmed(world);
			const unconfirmed = await open(world);
			const {deviceLogins: store} = world.stores;
			t.is(await store.redeem(login.id, {...proof, code_digest: 'digest-of-another'}), undefined);
			t.is(await store.redeem(login.id, {...proof, code_challenge: 'd'.repeat(43)}), undefined);
			t.is(await store.redeem(unconfirmed.id, proof), undefined);
			t.is((await store.redeem(login.id, proof))?.device_name, login.device_name);
		},
		'a code holds for its lifetime from the confirmation, not longer': async (t, world) => {
			const [early, late] = [await confirmed(world), await confirmed(world)];
			await world.advance(30);
			const redeemed = await world.stores.deviceLogins.redeem(early.login.id, proof);
			t.is(redeemed?.user_id, early.user_id);
			await world.advance(60);
			t.is(await world.stores.deviceLogins.redeem(late.login.id, proof), undefined);
		},
		'purge forgets what has expired, and counts it': async (t, world) => {
			const {stores, advance} = world;
			await confirmed(world);
			const login = await open(world);
			await advance(120);
			t.is(await stores.deviceLogins.purge(), 1);
			t.deepEqual(await stores.deviceLogins.pending(login.id), login);
			await advance(600);
			t.is(await stores.deviceLogins.purge(), 1);
		},
	},
};

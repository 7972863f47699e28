import type {Rotation} from '../../accounts/model/session.ts';
import {buildRefreshToken} from '../builders/accounts.ts';
import {buildId} from '../builders/identity.ts';
import type {Contract} from './contract.ts';
import {type ContractWorld, idsOf, parallel, tally} from './world.ts';

const lifetime = 7 * 24 * 3600;
/** Longer than the ten seconds of production, so that real time does not blur the edge. */
const grace = 600;

type Exchange = Parameters<ContractWorld['stores']['sessions']['rotate']>[0];

const exchange = (token_digest: string, fields: Partial<Exchange> = {}): Exchange => {
	const successor_id = buildId();
	return {
		token_digest,
		successor_id,
		successor_digest: `successor-${successor_id}`,
		lifetime_seconds: lifetime,
		grace_seconds: grace,
		...fields,
	};
};

const openSession = async ({stores, addTenant}: ContractWorld) => {
	const {user_id} = await addTenant();
	const token = buildRefreshToken({user_id, lifetime_seconds: lifetime});
	await stores.sessions.open(token);
	return token;
};

const successorOf = (rotation: Rotation): string => {
	if (rotation.outcome !== 'rotated') throw new Error(`no successor: ${rotation.outcome}`);
	return rotation.successor_digest;
};

export const openSessions: Contract = {
	subject: 'sessions',
	cases: {
		'an opened token is the usable head of its family for its lifetime': async (t, world) => {
			const {lifetime_seconds, ...token} = await openSession(world);
			const [head] = await world.stores.sessions.active(token.user_id);
			const {created_at = '', expires_at = '', ...rest} = head ?? {};
			t.deepEqual(rest, {...token, used_at: null, successor_digest: null});
			t.is(Date.parse(expires_at) - Date.parse(created_at), lifetime_seconds * 1000);
		},
		'active answers the heads of that user only, and none that is used, revoked or expired': async (t, world) => {
			const {stores, advance} = world;
			const [used, revoked] = [await openSession(world), await openSession(world)];
			const {user_id} = used;
			const rotation = await stores.sessions.rotate(exchange(used.token_digest, {successor_id: 'head'}));
			await stores.sessions.revokeFamily(revoked.token_digest);
			await stores.sessions.open(buildRefreshToken({user_id, lifetime_seconds: 60}));
			await advance(120);
			const active = await stores.sessions.active(user_id);
			t.deepEqual(idsOf(active), ['head']);
			t.is(active[0]?.token_digest, successorOf(rotation));
			t.deepEqual(await stores.sessions.active(revoked.user_id), []);
		},
		'a revoked family is refused, its head and its used tokens, within the grace too, while others go on': async (
			t,
			world,
		) => {
			const {stores} = world;
			const [token, other] = [await openSession(world), await openSession(world)];
			const successor = successorOf(await stores.sessions.rotate(exchange(token.token_digest)));
			await stores.sessions.revokeFamily(token.token_digest);
			t.deepEqual(await stores.sessions.rotate(exchange(successor)), {outcome: 'refused'});
			t.deepEqual(await stores.sessions.rotate(exchange(token.token_digest)), {outcome: 'refused'});
			t.is((await stores.sessions.rotate(exchange(other.token_digest))).outcome, 'rotated');
		},
		'revoking touches one family only; an unknown token revokes nothing': async (t, world) => {
			const {stores} = world;
			const [token, other] = [await openSession(world), await openSession(world)];
			const sibling = buildRefreshToken({user_id: token.user_id});
			await stores.sessions.open(sibling);
			await stores.sessions.revokeFamily(token.token_digest);
			await stores.sessions.revokeFamily('never-made');
			t.deepEqual(idsOf(await stores.sessions.active(token.user_id)), [sibling.id]);
			t.deepEqual(idsOf(await stores.sessions.active(other.user_id)), [other.id]);
		},
		'purge forgets the tokens that have expired, and counts them; their families go on with the others': async (
			t,
			world,
		) => {
			const {stores, advance} = world;
			const [dead, alive] = [await openSession(world), await openSession(world)];
			await stores.sessions.rotate(exchange(dead.token_digest));
			await advance(lifetime - 3600);
			const head = successorOf(await stores.sessions.rotate(exchange(alive.token_digest)));
			t.is(await stores.sessions.purge(), 0);
			await advance(7200);
			t.is(await stores.sessions.purge(), 3);
			t.is(await stores.sessions.purge(), 0);
			t.is((await stores.sessions.rotate(exchange(head))).outcome, 'rotated');
		},
	},
};

export const rotation: Contract = {
	subject: 'sessions',
	cases: {
		'rotating makes the successor the head, with a lifetime of its own': async (t, world) => {
			const {stores, advance} = world;
			const token = await openSession(world);
			const {user_id, family_id} = token;
			await advance(lifetime - 3600);
			const request = exchange(token.token_digest);
			const {rotated_at, ...answer} = {rotated_at: '', ...(await stores.sessions.rotate(request))};
			t.deepEqual(answer, {outcome: 'rotated', user_id, family_id, successor_digest: request.successor_digest});
			const [head] = await stores.sessions.active(user_id);
			t.is(head?.id, request.successor_id);
			t.is(head?.created_at, rotated_at);
			await advance(lifetime - 3600);
			t.is((await stores.sessions.rotate(exchange(request.successor_digest))).outcome, 'rotated');
		},
		'of 200 parallel rotations of one token one makes the successor, and all are answered it': async (t, world) => {
			const token = await openSession(world);
			const rotate = () => world.stores.sessions.rotate(exchange(token.token_digest));
			const answers = await parallel(200, rotate);
			const heads = await world.stores.sessions.active(token.user_id);
			t.is(heads.length, 1);
			t.is(answers[0]?.outcome, 'rotated');
			t.is(new Set(answers.map((answer) => JSON.stringify(Object.entries(answer).sort()))).size, 1);
			t.is(heads[0]?.token_digest, answers[0] && successorOf(answers[0]));
		},
		'within the grace a used token is answered the same successor, made at the same time': async (t, world) => {
			const {stores, advance} = world;
			const token = await openSession(world);
			const first = await stores.sessions.rotate(exchange(token.token_digest));
			await stores.sessions.rotate(exchange(successorOf(first)));
			await advance(grace - 60);
			t.deepEqual(await stores.sessions.rotate(exchange(token.token_digest)), first);
		},
		'after the grace a used token is reused: its family is revoked': async (t, world) => {
			const {stores, advance} = world;
			const token = await openSession(world);
			const {user_id, family_id} = token;
			const successor = successorOf(await stores.sessions.rotate(exchange(token.token_digest)));
			await advance(grace + 60);
			const replayed = await stores.sessions.rotate(exchange(token.token_digest));
			t.deepEqual(replayed, {outcome: 'reused', user_id, family_id});
			t.deepEqual(await stores.sessions.rotate(exchange(successor)), {outcome: 'refused'});
			t.deepEqual(await stores.sessions.rotate(exchange(token.token_digest)), {outcome: 'refused'});
		},
		'a replay leaves the other families of the user alone': async (t, world) => {
			const {stores, advance} = world;
			const token = await openSession(world);
			const sibling = buildRefreshToken({user_id: token.user_id});
			await stores.sessions.open(sibling);
			await stores.sessions.rotate(exchange(token.token_digest));
			await advance(grace + 60);
			await stores.sessions.rotate(exchange(token.token_digest));
			t.deepEqual(idsOf(await stores.sessions.active(token.user_id)), [sibling.id]);
		},
		'a token is refused once its lifetime is over by the clock of the store': async (t, world) => {
			const {stores, advance} = world;
			const [first, second] = [await openSession(world), await openSession(world)];
			await advance(lifetime - 60);
			t.is((await stores.sessions.rotate(exchange(first.token_digest))).outcome, 'rotated');
			await advance(120);
			t.deepEqual(await stores.sessions.rotate(exchange(second.token_digest)), {outcome: 'refused'});
		},
		'unknown tokens are refused, also those that differ from a known one in case': async (t, world) => {
			const token = await openSession(world);
			for (const digest of ['never-made', token.token_digest.toUpperCase(), `${token.token_digest} `]) {
				t.deepEqual(await world.stores.sessions.rotate(exchange(digest)), {outcome: 'refused'});
			}
			t.is((await world.stores.sessions.active(token.user_id)).length, 1);
		},
		'a rotation in parallel with a logout leaves no usable head': async (t, world) => {
			const {stores} = world;
			const tokens = await parallel(5, () => openSession(world));
			const race = (digest: string) => [stores.sessions.rotate(exchange(digest)), stores.sessions.revokeFamily(digest)];
			await Promise.all(tokens.flatMap((token) => race(token.token_digest)));
			for (const {user_id} of tokens) t.deepEqual(await stores.sessions.active(user_id), []);
		},
		'a rotation in parallel with a change of password leaves no usable head': async (t, world) => {
			const {stores, now} = world;
			const tokens = await parallel(5, () => openSession(world));
			const race = (user_id: string, digest: string) => [
				stores.sessions.rotate(exchange(digest)),
				stores.users.changePassword(user_id, {to: 'new'}, now()),
			];
			await Promise.all(tokens.flatMap((token) => race(token.user_id, token.token_digest)));
			for (const {user_id} of tokens) t.deepEqual(await stores.sessions.active(user_id), []);
		},
		'parallel replays after the grace all are refused or reused, and revoke the family': async (t, world) => {
			const token = await openSession(world);
			await world.stores.sessions.rotate(exchange(token.token_digest));
			await world.advance(grace + 60);
			const replay = () => world.stores.sessions.rotate(exchange(token.token_digest));
			const outcomes = tally((await parallel(10, replay)).map((answer) => answer.outcome));
			t.is(outcomes.rotated, undefined);
			t.is((outcomes.reused ?? 0) >= 1, true);
			t.deepEqual(await world.stores.sessions.active(token.user_id), []);
		},
	},
};

import {once} from 'node:events';
import {connectRedis, createRedisSignals} from '@signalbox/adapters-redis';
import type {DomainEvent} from '@signalbox/core';
import {createMemorySignals} from '@signalbox/core/memory';
import {systemClock} from '@signalbox/core/node';
import type {ExecutionContext} from 'ava';
import {startGate, testWithRedis} from '../../../test/support/redis.ts';

const changed = (mcp_server_id: string): DomainEvent => ({type: 'mcp.server.changed', mcp_server_id, team_id: 'team'});

/** What a process has, and what it hears. */
const begin = async (t: ExecutionContext, url: string) => {
	const errors: string[] = [];
	const heard: DomainEvent[] = [];
	const onError = ({message}: Error) => void errors.push(message);
	const redis = connectRedis({url, onError});
	t.teardown(redis.close);
	const crosses = ({type}: DomainEvent) => type !== 'team.deleted';
	const signals = createRedisSignals({redis, local: createMemorySignals(), crosses, onError});
	signals.subscribe((event) => heard.push(event));
	await redis.open();
	await signals.start();
	const hears = async (count: number) => {
		while (heard.length < count) await systemClock.sleep(2);
		return heard;
	};
	return {redis, signals, heard, hears, errors};
};

testWithRedis(
	'what one process publishes is heard there at once, and in the others once and in order',
	async (t, {url}) => {
		const [one, other, third] = [await begin(t, url), await begin(t, url), await begin(t, url)];
		one.signals.publish(changed('a'));
		one.signals.publish({type: 'team.deleted', team_id: 'team'});
		t.is(one.heard.length, 2);
		one.signals.publish(changed('b'));
		t.deepEqual(await other.hears(2), [changed('a'), changed('b')]);
		other.signals.publish(changed('c'));
		t.deepEqual(await third.hears(3), [changed('a'), changed('b'), changed('c')]);
		third.signals.publish(changed('d'));
		t.deepEqual((await other.hears(4)).slice(2), [changed('c'), changed('d')]);
	},
);

testWithRedis('what is told under another prefix is not heard, nor what is no signal', async (t, {url}) => {
	const [one, other] = [await begin(t, url), await begin(t, url)];
	const stranger = await begin(t, `${url}-stranger`);
	stranger.signals.publish(changed('theirs'));
	await one.redis.commands.publish(`${one.redis.prefix}:signals`, 'nonsense');
	one.signals.publish(changed('ours'));
	t.deepEqual(await other.hears(1), [changed('ours')]);
	t.is(other.errors.length, 1);
});

testWithRedis('signals pass again once Redis is back, and nothing fails meanwhile', async (t, place) => {
	const gate = await startGate(t, place);
	await gate.shut();
	const [one, other] = [await begin(t, gate.url), await begin(t, gate.url)];
	const passes = async (id: string) => {
		while (!other.heard.some((event) => 'mcp_server_id' in event && event.mcp_server_id === id)) {
			one.signals.publish(changed(id));
			await systemClock.sleep(20);
		}
	};
	one.signals.publish(changed('lost'));
	t.regex(one.errors.join(), /ECONNREFUSED/);
	await gate.open();
	await passes('first');
	await gate.shut();
	one.signals.publish(changed('lost'));
	await gate.open();
	await passes('second');
	t.false(other.heard.some((event) => 'mcp_server_id' in event && event.mcp_server_id === 'lost'));
});

testWithRedis(
	'nobody waits to start for a Redis that lets connect and does not answer; once it does, signals pass',
	async (t, place) => {
		const gate = await startGate(t, place);
		const goOn = gate.stop();
		const [one, other] = [await begin(t, gate.url), await begin(t, place.url)];
		t.regex(one.errors.join(), /no answer within 2000 ms/);
		one.signals.publish(changed('lost'));
		t.is(one.heard.length, 1);
		goOn();
		await once(one.redis.messages, 'ready');
		while (one.heard.length < 2) {
			other.signals.publish(changed('passes'));
			await systemClock.sleep(20);
		}
		t.deepEqual(one.heard[1], changed('passes'));
	},
);

testWithRedis('errors hold no password, and closing does not wait for a Redis that is away', async (t, place) => {
	const url = place.url.replace('//', '//nobody:hush-hush@');
	const {redis, errors, signals} = await begin(t, url);
	t.regex(errors.join(), /WRONGPASS/);
	t.notRegex(JSON.stringify(errors), /hush/);
	await signals.close();
	await redis.close();
});

import type {DomainEvent} from '@signalbox/core';
import {createMemorySignals} from '@signalbox/core/memory';
import test from 'ava';

const event: DomainEvent = {type: 'mcp.server.changed', mcp_server_id: 'server', team_id: 'team'};

test('every subscriber is told, until it unsubscribes', (t) => {
	const signals = createMemorySignals();
	const told: string[] = [];
	const leave = signals.subscribe(() => told.push('first'));
	signals.subscribe((received) => told.push(`second ${received.type}`));
	signals.publish(event);
	leave();
	leave();
	signals.publish(event);
	t.deepEqual(told, ['first', 'second mcp.server.changed', 'second mcp.server.changed']);
});

test('one listener that subscribes twice is told twice, and each subscription ends on its own', (t) => {
	const signals = createMemorySignals();
	let told = 0;
	const listener = () => {
		told += 1;
	};
	const leave = signals.subscribe(listener);
	signals.subscribe(listener);
	signals.publish(event);
	t.is(told, 2);
	leave();
	signals.publish(event);
	t.is(told, 3);
});

test('a listener that throws harms neither the publisher nor the other listeners', (t) => {
	const errors: unknown[] = [];
	const signals = createMemorySignals({onError: (error) => errors.push(error)});
	const fault = new Error('listener broke');
	let told = false;
	signals.subscribe(() => {
		throw fault;
	});
	signals.subscribe(() => {
		told = true;
	});
	t.notThrows(() => signals.publish(event));
	t.true(told);
	t.deepEqual(errors, [fault]);
});

test('a listener may come or go while an event is published', (t) => {
	const signals = createMemorySignals();
	const told: string[] = [];
	const leave = signals.subscribe(() => {
		told.push('leaving');
		leave();
		signals.subscribe(() => told.push('late'));
	});
	signals.subscribe(() => told.push('staying'));
	signals.publish(event);
	t.deepEqual(told, ['leaving', 'staying']);
	signals.publish(event);
	t.deepEqual(told, ['leaving', 'staying', 'staying', 'late']);
});

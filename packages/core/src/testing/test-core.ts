import {type Core, createCore} from '../create-core.ts';
import {createMemoryRateLimiter, createMemorySignals, createMemoryStores} from '../memory/index.ts';
import type {Ports} from '../ports/index.ts';
import type {CoreSettings} from '../settings.ts';
import {createManualClock, type ManualClock} from './manual-clock.ts';
import {standInPorts} from './stand-in-ports.ts';

export type TestPorts = Readonly<{ports: Ports; clock: ManualClock}>;
export type TestCore = TestPorts & Readonly<{core: Core}>;

/** Memory stores and the real Node ports (with a cheap argon2), all on one manual clock. `overrides` win. */
export const createTestPorts = (overrides: Partial<Ports> = {}): TestPorts => {
	const clock = createManualClock();
	const ports: Ports = {
		...createMemoryStores({clock}),
		...standInPorts(),
		clock,
		signals: createMemorySignals(),
		rateLimiter: createMemoryRateLimiter({clock}),
		...overrides,
	};
	return {ports, clock};
};

/** The whole domain over `createTestPorts`. */
export const createTestCore = (
	overrides: Readonly<{ports?: Partial<Ports>; settings?: Partial<CoreSettings>}> = {},
): TestCore => {
	const {ports, clock} = createTestPorts(overrides.ports);
	return {core: createCore(ports, overrides.settings), ports, clock};
};

import {type Core, createCore} from '../create-core.ts';
import {createMemoryRateLimiter, createMemorySignals, createMemoryStores} from '../memory/index.ts';
import {
	createAccessTokens,
	createCipher,
	createIds,
	createPasswordHasher,
	createSecrets,
	createSignatures,
	generateKey,
	type KeyRing,
} from '../node/index.ts';
import type {Ports} from '../ports/index.ts';
import type {CoreSettings} from '../settings.ts';
import {createManualClock, type ManualClock} from './manual-clock.ts';

export type TestPorts = Readonly<{ports: Ports; clock: ManualClock}>;
export type TestCore = TestPorts & Readonly<{core: Core}>;

/** The least that argon2id takes: tests are not about its cost. */
const cheapArgon2 = {memoryKiB: 8, passes: 1, queue: 1000} as const;

/** Memory stores and the real Node ports (with a cheap argon2), all on one manual clock. `overrides` win. */
export const createTestPorts = (overrides: Partial<Ports> = {}): TestPorts => {
	const clock = createManualClock();
	const keys: KeyRing = [generateKey('test')];
	const ports: Ports = {
		...createMemoryStores({clock}),
		clock,
		ids: createIds(),
		secrets: createSecrets({keys}),
		signatures: createSignatures(),
		passwords: createPasswordHasher(cheapArgon2),
		accessTokens: createAccessTokens({keys, issuer: 'https://signalbox.test'}),
		cipher: createCipher({keys}),
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

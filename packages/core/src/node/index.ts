export {createAccessTokens} from './access-tokens.ts';
export {createCipher} from './cipher.ts';
export {createClock, systemClock} from './clock.ts';
export {createIds} from './ids.ts';
export {formatKeyRing, generateKey, type KeyRing, parseKeyRing, type RingKey} from './key-ring.ts';
export {createPasswordHasher, type PasswordHasherOptions} from './password-hasher.ts';
export {createSecrets} from './secrets.ts';
export {createSignatures} from './signatures.ts';
export {
	createWebhookPlanner,
	type NodeWebhookPlanner,
	type WebhookPlannerOptions,
} from './webhook-planner/create-webhook-planner.ts';

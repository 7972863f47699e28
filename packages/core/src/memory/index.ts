export {createMemoryRateLimiter} from './rate-limiter.ts';
export {createMemorySignals} from './signals.ts';
export {createMemoryStores} from './stores.ts';

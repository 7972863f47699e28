import type {Ports} from '../ports/index.ts';
import type {Caller} from '../values/caller.ts';

export type Answer = Readonly<{status: number; body: unknown}>;

/** Answers a repeated request with its first result (decisions, "Idempotency-Key"). Answers are stored sealed. */
export type Idempotency = Readonly<{
	/**
	 * Runs `work` once for the key. An answer is kept; an error gives the key back, unless it may have done something.
	 * @throws conflict when the key came with another request, or while the first one still runs; validation_error for
	 * a key that is not 1 to 255 printable ASCII characters.
	 */
	once(caller: Caller, key: string, request: string, work: () => Promise<Answer>): Promise<Answer>;
}>;

export const createIdempotency = (_needs: Pick<Ports, 'idempotency' | 'cipher' | 'secrets'>): Idempotency => {
	throw new Error('not built');
};

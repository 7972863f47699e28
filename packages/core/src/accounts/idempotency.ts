import {DomainError, type ErrorKind, invalidField} from '../errors.ts';
import type {IdempotentAnswer, Ports} from '../ports/index.ts';
import {idempotentAnswerBinding} from '../values/binding.ts';
import type {Caller, Credential} from '../values/caller.ts';

export type Answer = Readonly<{status: number; body: unknown}>;

/** Answers a repeated request with its first result (decisions, "Idempotency-Key"). Answers are stored sealed. */
export type Idempotency = Readonly<{
	/**
	 * Runs `work` once for the key. `request` must be the same text for it to be a repetition; `body` is JSON.
	 * An answer is kept; an error gives the key back, unless it may have done something.
	 * @throws conflict when the key came with another request or another credential, or, with `retryAfterSeconds`, while the
	 * first one still runs; validation_error for a key that is not 1 to 255 printable ASCII characters; whatever `work` throws.
	 */
	once(caller: Caller, attempt: Readonly<{key: string; request: string}>, work: () => Promise<Answer>): Promise<Answer>;
}>;

type Needs = Pick<Ports, 'idempotency' | 'cipher' | 'secrets'>;

const keyPattern = /^[\x20-\x7e]{1,255}$/;

/** Errors that are raised before anything is done. After any other one the work may have left something behind. */
const harmless: ReadonlySet<ErrorKind> = new Set([
	'invalid',
	'unauthenticated',
	'forbidden',
	'missing',
	'conflict',
	'too_large',
	'unsupported',
	'limited',
]);

/** An answer may hold what only its credential could get, such as a new API key: every session is one, each key its own. */
const nameOf = (credential: Credential): string =>
	credential.kind === 'session' ? 'session' : `api key ${credential.id}`;

const conflict = (message: string): DomainError => new DomainError('conflict', {message});

/** The one conflict here that passes by itself: a moment later the first request has its answer, or gave the key back. */
const stillRuns = (): DomainError =>
	new DomainError('conflict', {
		message: 'The first request with this Idempotency-Key still runs, or its outcome is unknown.',
		retryAfterSeconds: 1,
	});

const answerSealer = ({cipher}: Needs) => ({
	seal: (binding: string, {status, body}: Answer): IdempotentAnswer => ({
		status,
		body: cipher.seal(JSON.stringify({body}), binding),
	}),
	open: (binding: string, {status, body}: IdempotentAnswer): Answer => {
		try {
			return {status, body: JSON.parse(cipher.open(body, binding)).body};
		} catch {
			throw conflict('The first answer to this Idempotency-Key can no longer be read: use another key.');
		}
	},
});

const runner =
	({idempotency}: Needs) =>
	async (user_id: string, key: string, work: () => Promise<Answer>): Promise<Answer> => {
		try {
			return await work();
		} catch (error) {
			if (error instanceof DomainError && harmless.has(error.kind)) await idempotency.forget(user_id, key);
			throw error;
		}
	};

export const createIdempotency = (needs: Needs): Idempotency => {
	const {idempotency, secrets} = needs;
	const {seal, open} = answerSealer(needs);
	const run = runner(needs);
	return {
		once: async ({user_id, credential}, {key, request}, work) => {
			if (!keyPattern.test(key)) throw invalidField('Idempotency-Key', 'must be 1 to 255 printable ASCII characters');
			const binding = idempotentAnswerBinding(user_id, key);
			const claim = await idempotency.begin(user_id, key, secrets.digest(`${nameOf(credential)}\n${request}`));
			if (claim.state === 'mismatch') throw conflict('This Idempotency-Key came with another request.');
			if (claim.state === 'running') throw stillRuns();
			if (claim.state === 'done') return open(binding, claim.answer);
			const answer = await run(user_id, key, work);
			await idempotency.complete(user_id, key, seal(binding, answer));
			return answer;
		},
	};
};

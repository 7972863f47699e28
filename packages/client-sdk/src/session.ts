import {apiErrorOf} from './api-error.ts';
import {urlOf} from './build-request.ts';
import type {SignedIn} from './generated/types.gen.ts';
import type {KeptTokens} from './kept-tokens.ts';
import type {Sender} from './sender.ts';

/** Repeats a call that was refused for its access token, once, with a fresh one. */
export type Session = Readonly<{
	send(request: Request): Promise<Response>;
	/** A fresh one where there is none yet; undefined when nobody is signed in. */
	accessToken(): Promise<string | undefined>;
	/** A fresh one for one that was refused. */
	renew(refused: string): Promise<string | undefined>;
	/** Keeps the tokens of whoever signed in. What is refreshed right now belongs to the person before, and is not kept. */
	begin(signedIn: SignedIn): Promise<void>;
	/** Forgets the tokens. @returns what ends the session at the API, if there was one. */
	end(): ReturnType<KeptTokens['presented']>;
}>;

type Needs = Readonly<{
	baseUrl: string;
	tokens: KeptTokens;
	sender: Sender;
	/** Told when the session ended although nobody ended it here. */
	onLost: () => void;
}>;

const refreshRequest = (baseUrl: string, presented: object): Request =>
	new Request(urlOf(baseUrl, '/v1/auth/refresh'), {
		method: 'POST',
		headers: {'content-type': 'application/json'},
		body: JSON.stringify(presented),
	});

const isRefused = (status: number): boolean => status === 400 || status === 401;

const lose = async ({tokens, onLost}: Needs): Promise<undefined> => {
	await tokens.keep(undefined);
	onLost();
};

type Renewal = Readonly<{
	refused: string | undefined /** Whether nobody else signed in since it began. */;
	isCurrent(): boolean;
}>;

/** A fresh access token for the one that was refused, or for none; undefined when the session is over. */
const renew = async (needs: Needs, {refused, isCurrent}: Renewal): Promise<string | undefined> => {
	const {baseUrl, tokens, sender} = needs;
	const current = await tokens.accessToken();
	if (current !== refused) return current;
	const presented = await tokens.presented();
	if (presented === undefined) return undefined;
	// For a few seconds a refresh token answers the same successors again.
	const response = await sender(refreshRequest(baseUrl, presented), true);
	if (response.ok) {
		const signedIn = (await response.json()) as SignedIn;
		if (!isCurrent()) return undefined;
		if (!tokens.isOurs(signedIn)) return lose(needs);
		await tokens.keep(signedIn);
		return signedIn.access_token;
	}
	if (!isRefused(response.status)) throw await apiErrorOf('auth.refresh', response);
	await response.body?.cancel();
	return isCurrent() ? lose(needs) : undefined;
};

const bearerOf = (request: Request): string | undefined =>
	/^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1];

const withBearer = (request: Request, token: string): Request => {
	const again = new Request(request);
	again.headers.set('authorization', `Bearer ${token}`);
	return again;
};

export const createSession = (needs: Needs): Session => {
	const {tokens, sender} = needs;
	let renewal: Promise<string | undefined> | undefined;
	let sessions = 0;
	// Calls that are refused together share one refresh: a refresh token works once.
	const renewOnce = (refused: string | undefined): Promise<string | undefined> => {
		if (renewal !== undefined) return renewal;
		const session = sessions;
		const isCurrent = () => session === sessions;
		const begun = renew(needs, {refused, isCurrent}).finally(() => {
			if (isCurrent()) renewal = undefined;
		});
		renewal = begun;
		return begun;
	};
	return {
		// Somebody may sign in meanwhile.
		accessToken: async () =>
			(await tokens.accessToken()) ?? (await renewOnce(undefined)) ?? (await tokens.accessToken()),
		renew: renewOnce,
		send: async (request) => {
			const kept = request.clone();
			const response = await sender(request);
			const used = bearerOf(request);
			if (response.status !== 401 || used === undefined) return response;
			const fresh = await renewOnce(used);
			if (fresh === undefined || fresh === used) return response;
			await response.body?.cancel();
			return sender(withBearer(kept, fresh));
		},
		begin: async (signedIn) => {
			sessions += 1;
			renewal = undefined;
			await tokens.keep(signedIn);
		},
		end: async () => {
			// What is refreshed right now would outlive the session.
			await renewal?.catch(() => undefined);
			const presented = await tokens.presented();
			await tokens.keep(undefined);
			return presented;
		},
	};
};

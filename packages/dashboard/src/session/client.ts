import {SignalboxClient} from '@signalbox/client-sdk';

let tellLost = (): void => undefined;

/** Has it called back, whatever call met it, when the session is over or somebody else's. */
export const onSessionLost = (tell: () => void): void => {
	tellLost = tell;
};

let tellTried = (_isThere: boolean): void => undefined;

/** Has it called back whenever a call was answered, or could not be. */
export const onTried = (tell: (isThere: boolean) => void): void => {
	tellTried = tell;
};

/** What a proxy answers in place of a server that is away, and a server whose database is. */
const away: ReadonlySet<number> = new Set([502, 503, 504]);

const watchedFetch = async (request: Request, init?: RequestInit): Promise<Response> => {
	try {
		const response = await fetch(request, init);
		tellTried(!away.has(response.status));
		return response;
	} catch (error) {
		// A call that a page gave up says nothing of the server; the stream is given up when it hears nothing.
		const isStream = new URL(request.url).pathname === '/v1/stream';
		if (isStream || (error as Error).name !== 'AbortError') tellTried(false);
		throw error;
	}
};

/** The API, as who is signed in. The refresh token is in a cookie that no script reads, the access token in memory. */
export const client = new SignalboxClient({
	baseUrl: location.origin,
	session: 'cookie',
	fetch: watchedFetch,
	onSessionLost: () => tellLost(),
});

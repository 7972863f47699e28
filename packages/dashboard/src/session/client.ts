import {SignalboxClient} from '@signalbox/client-sdk';

let tellLost = (): void => undefined;

/** Has it called back, whatever call met it, when the session is over or somebody else's. */
export const onSessionLost = (tell: () => void): void => {
	tellLost = tell;
};

/** The API, as who is signed in. The refresh token is in a cookie that no script reads, the access token in memory. */
export const client = new SignalboxClient({
	baseUrl: location.origin,
	session: 'cookie',
	onSessionLost: () => tellLost(),
});

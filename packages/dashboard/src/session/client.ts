import {SignalboxClient} from '@signalbox/client-sdk';

/** The API, as who is signed in. The refresh token is in a cookie that no script reads, the access token in memory. */
export const client = new SignalboxClient({baseUrl: location.origin, session: 'cookie'});

import type {SignalboxClient} from '@signalbox/client-sdk';

/** What is sent to make an endpoint, or to change one. */
export type EndpointFields = Parameters<SignalboxClient['webhook']['endpoints']['create']>[0]['body'];

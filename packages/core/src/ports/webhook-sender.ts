import type {DeliveryAnswer, DeliveryFailure, DeliveryRequest} from '../webhook/model/delivery-exchange.ts';

/** Brings webhooks to their destinations. */
export type WebhookSender = Readonly<{
	/**
	 * Sends one request, once: follows no redirect, connects to no address that is not allowed, and ends within 30 seconds.
	 * An answer counts when it is there as a whole or fills what is kept of it; whatever else happens is a failure.
	 * @throws the signal's reason once it aborts, and nothing else: whether the request arrived is unknown then.
	 */
	send(request: DeliveryRequest, signal: AbortSignal): Promise<DeliveryAnswer | DeliveryFailure>;
}>;

import type {DeliveryStatus} from '../model/delivery.ts';

const strongestFirst = ['retrying', 'pending', 'failed', 'delivered'] as const satisfies readonly DeliveryStatus[];

/** One status for all deliveries of an event; it has at least one (decisions, "Events"). */
export const eventStatusOf = (deliveries: readonly DeliveryStatus[]): DeliveryStatus =>
	strongestFirst.find((status) => deliveries.includes(status)) ?? 'delivered';

import type {Notification} from '@signalbox/client-sdk';
import type {Tone} from '../parts/pill.tsx';

/** What people are told of. */
export const notificationKinds: Readonly<Record<Notification['type'], readonly [Tone, string]>> = {
	approval_pending: ['warn', 'Approval'],
	endpoint_failure: ['bad', 'Webhook failed'],
	cron_failure: ['bad', 'Job failed'],
	chain_failure: ['bad', 'Chain failed'],
	budget_alert: ['warn', 'Budget'],
	usage_warning: ['warn', 'Usage'],
	system: ['idle', 'System'],
};

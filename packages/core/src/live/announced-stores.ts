import type {DomainEvent, Ports, Signals} from '../ports/index.ts';
import type {NotificationRecord} from './model/notification.ts';
import type {News} from './news.ts';
import {summaryOfCall, summaryOfEvent, summaryOfNotification} from './rules/summaries.ts';

type Tell = (news: News) => void;

/** What is published in this process, and not what others publish. */
export const announcedSignals = (signals: Signals, hear: (event: DomainEvent) => void): Signals => ({
	...signals,
	publish: (event) => {
		signals.publish(event);
		hear(event);
	},
});

export const announcedCallLog = ({append}: Ports['callLog'], tell: Tell): Ports['callLog'] => ({
	append: (entry) =>
		append(entry).then(() =>
			tell({type: 'mcp.call', team_id: entry.team_id, user_id: null, data: () => summaryOfCall(entry)}),
		),
});

export const announcedIntake = (intake: Ports['intake'], tell: Tell): Ports['intake'] => ({
	...intake,
	accept: async (acceptable, attempts) => {
		const accepted = await intake.accept(acceptable, attempts);
		const {event} = acceptable;
		if (accepted.outcome === 'accepted') {
			const data = () => summaryOfEvent(event, accepted.status);
			tell({type: 'webhook.event', team_id: event.team_id, user_id: null, data});
		}
		return accepted;
	},
});

export const announcedNotifications = (notifications: Ports['notifications'], tell: Tell): Ports['notifications'] => {
	const announce = (notification: NotificationRecord): void => {
		const data = () => summaryOfNotification(notification);
		tell({type: 'notification', team_id: null, user_id: notification.user_id, data});
	};
	return {
		...notifications,
		append: async (...appended) => {
			await notifications.append(...appended);
			appended.forEach(announce);
		},
		appendUnlessUnread: async (notification, ...told) => {
			const isNew = await notifications.appendUnlessUnread(notification, ...told);
			if (isNew) announce(notification);
			return isNew;
		},
	};
};

import type {AuditEntry} from '../live/model/audit-entry.ts';
import type {LiveEvent, NumberedLiveEvent} from '../live/model/live-event.ts';
import type {NotificationRecord} from '../live/model/notification.ts';
import type {NotificationChannelRecord} from '../live/model/notification-channel.ts';
import type {Instant} from '../values/instant.ts';
import type {Page, PageRequest} from '../values/page.ts';
import type {Sealed} from '../values/sealed.ts';

/** Append-only record of who did what. */
export type AuditStore = Readonly<{
	append(entry: AuditEntry): Promise<void>;
	/** Newest first. */
	list(team_id: string, page: PageRequest): Promise<Page<AuditEntry>>;
}>;

/** Notifications of users. One that a channel of its user wants is written together with its place in the outbox. */
export type NotificationStore = Readonly<{
	/** All of them or none. */
	append(...notifications: readonly NotificationRecord[]): Promise<void>;
	/**
	 * Unless the user has an unread one of that type whose `data` names the same `subject` (the name of a text in it), also
	 * under parallel calls: what goes on failing is told once. `since`: only those that were created from then on are looked
	 * at, where each subject is new and a user may have left thousands unread. @returns whether it was appended.
	 */
	appendUnlessUnread(notification: NotificationRecord, subject: string, since?: Instant): Promise<boolean>;
	/** Newest first. */
	list(user_id: string, filter: Readonly<{unread_only: boolean}>, page: PageRequest): Promise<Page<NotificationRecord>>;
	countUnread(user_id: string): Promise<number>;
	markRead(user_id: string, id: string): Promise<NotificationRecord | undefined>;
	/** @returns how many became read. */
	markAllRead(user_id: string): Promise<number>;
	delete(user_id: string, id: string): Promise<boolean>;
}>;

/** Notifications on their way to the channels of their users. */
export type NotificationOutbox = Readonly<{
	/** Up to `limit` that some channel wanted when they were appended, and that are neither done nor deleted. By id. */
	waiting(limit: number): Promise<readonly NotificationRecord[]>;
	/** That notification waits no longer. */
	done(id: string): Promise<void>;
}>;

type ChannelChange = {
	readonly [K in 'name' | 'url' | 'events' | 'is_active']?: NotificationChannelRecord[K] | undefined;
} & Readonly<{updated_at: string}>;

/** Where users want to be told. */
export type NotificationChannelStore = Readonly<{
	/** @throws conflict when the user has `most` already, also under parallel calls; resource_not_found without the user. */
	create(channel: NotificationChannelRecord, most: number): Promise<void>;
	get(user_id: string, id: string): Promise<NotificationChannelRecord | undefined>;
	/** Oldest first. */
	list(user_id: string): Promise<readonly NotificationChannelRecord[]>;
	/** Writes the fields that are named. */
	update(user_id: string, id: string, change: ChannelChange): Promise<NotificationChannelRecord | undefined>;
	delete(user_id: string, id: string): Promise<boolean>;
	/** Up to `limit` records of any user of which the URL has another master key than `kid`. For key rotation only. */
	sealedOtherwise(kid: string, limit: number): Promise<readonly NotificationChannelRecord[]>;
	/** Replaces the URL that still is `from`. For key rotation only. */
	reseal(id: string, from: Sealed, to: Sealed): Promise<boolean>;
}>;

/** Who looks on: what is for the team, and what is for the user. */
export type LiveAudience = Readonly<{team_id: string; user_id: string}>;

/** What happened lately, for those who look on. Times are by the store's clock. */
export type LiveEventStore = Readonly<{
	/**
	 * Gives each the next number, in that order. Events become visible in the order of their numbers, also those of parallel
	 * calls: nobody who has read one finds a lower one later.
	 */
	append(events: readonly LiveEvent[]): Promise<void>;
	/**
	 * The first `limit` of that audience after a number, in order; undefined when events after that number may be missing,
	 * because they are kept no longer or were lost, and for a number that no event has had yet.
	 */
	after(audience: LiveAudience, seq: number, limit: number): Promise<readonly NumberedLiveEvent[] | undefined>;
	/**
	 * Those teams or users are listened to for so many seconds from now on.
	 * @returns the number from which on their events are kept without a gap; undefined while that is not known of one of them.
	 */
	listen(ids: readonly string[], seconds: number): Promise<number | undefined>;
	/** Whatever happens to them from now on is recorded. @returns the newest number; undefined when nobody listens to them. */
	confirm(ids: readonly string[]): Promise<number | undefined>;
	/** To whom somebody listens, and the newest number. */
	listeners(): Promise<Readonly<{ids: readonly string[]; newest: number}>>;
	/** Events were lost: whoever has read up to now must begin anew. */
	forget(): Promise<void>;
	/**
	 * Deletes up to `limit` events that were recorded longer ago, oldest first, and those of whom nobody listens any more.
	 * @returns how many events went.
	 */
	purge(seconds: number, limit: number): Promise<number>;
}>;

import type {RetryConfig} from './retry-config.ts';

/** One of the places where something is told. */
export type NoticeDestination = Readonly<{
	/** Where it comes from, or goes to, for people. */
	name: string;
	/** Absolute, http or https; `{{env.KEY}}` resolves when it is sent. Or the reference of a notification channel. */
	url: string;
	/** What is in flight at once is counted by it. By default that of the URL. */
	destination_key?: string;
	/** Sent as JSON in place of the body of Standard Webhooks. */
	body?: object;
}>;

/** Something that a person is told at addresses of theirs. */
export type Notice = Readonly<{
	/** Of what it is about: there is one notice of it. */
	id: string;
	user_id: string;
	/** What happened, such as `cron.execution.failed`. */
	type: string;
	/** When it happened. ISO 8601. */
	timestamp: string;
	data: Readonly<Record<string, unknown>>;
	destinations: readonly NoticeDestination[];
	/** By default that of webhooks. */
	retry_config?: RetryConfig;
}>;

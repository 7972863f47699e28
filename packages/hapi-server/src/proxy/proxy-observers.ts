import type {CallStatus} from '@signalbox/core';

type LogLine = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** Where the proxy tells operators what went wrong; a pino logger is one. Fields never hold a header, a body or a slug. */
export type ProxyLogger = Readonly<{warn: LogLine; error: LogLine}>;

/** What the proxy counts. */
export type ProxyMetrics = Readonly<{
	/** One call was answered. `method` is a method of the protocol, or `other`: its values are few. */
	observeCall(call: Readonly<{method: string; status: CallStatus; duration_ms: number}>): void;
	/** One more, or one fewer, call waits for a person. */
	countHeld(change: 1 | -1): void;
}>;

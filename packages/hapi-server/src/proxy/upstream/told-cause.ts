import type {McpServerRecord} from '@signalbox/core';

const codeOf = (cause: unknown): unknown => (cause instanceof Error && 'code' in cause ? cause.code : undefined);

/**
 * What operators are told of why an upstream failed. Errors of connections name the host: where variables make up the
 * address, that is a value which stands in no log, and the error's code has to do.
 */
export const toldCause = ({target_url}: McpServerRecord, cause: unknown): Readonly<Record<string, unknown>> =>
	target_url.includes('{{') ? {code: codeOf(cause)} : {err: cause};

import {isUnavailable} from '@signalbox/core';
import {type DestinationStream, type Logger, type LoggerOptions, pino} from 'pino';
import {createOutageFilter, rootOf} from './outage-filter.ts';

/** Paths that never reach a log, wherever somebody logs them by mistake. */
const secretPaths = [
	'authorization',
	'cookie',
	'password',
	'current_password',
	'new_password',
	'token',
	'access_token',
	'refresh_token',
	'key',
	'value',
	'slug',
	'url',
	'headers',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** Where an outage was noticed says nothing about it. */
const errorFields = (error: Error) => ({
	type: error.name,
	message: error.message,
	...(!isUnavailable(error) && {stack: error.stack}),
	...(error.cause instanceof Error && {cause: rootOf(error).message}),
});

/** As pino numbers it. */
const errorLevel = 50;

/** While the database is away everything fails: one line says so for all of it. */
const outageHooks = (): NonNullable<LoggerOptions['hooks']> => {
	const isNews = createOutageFilter();
	return {
		logMethod(args, log, level) {
			const {err} = Object(args[0]) as {err?: unknown};
			const isOutage = level >= errorLevel && err instanceof Error && isUnavailable(err);
			if (!isOutage) log.apply(this, args);
			else if (isNews(err)) log.apply(this, [{err}, 'the service is unavailable']);
		},
	};
};

/**
 * Structured logs, one JSON object a line. Errors keep name, message and stack, and nothing that hangs on them; an outage is
 * told once in ten seconds, whoever meets it.
 */
export const createLogger = (level: string, destination: DestinationStream): Logger =>
	pino(
		{
			level,
			base: null,
			timestamp: pino.stdTimeFunctions.isoTime,
			redact: {paths: secretPaths, censor: '[redacted]'},
			serializers: {err: (error: unknown) => (error instanceof Error ? errorFields(error) : {message: 'not an error'})},
			hooks: outageHooks(),
		},
		destination,
	);

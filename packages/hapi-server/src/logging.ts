import {type DestinationStream, type Logger, pino} from 'pino';

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

const errorFields = (error: Error) => ({
	type: error.name,
	message: error.message,
	stack: error.stack,
	...(error.cause instanceof Error && {cause: error.cause.message}),
});

/** Structured logs, one JSON object a line. Errors keep name, message and stack, and nothing that hangs on them. */
export const createLogger = (level: string, destination: DestinationStream): Logger =>
	pino(
		{
			level,
			base: null,
			timestamp: pino.stdTimeFunctions.isoTime,
			redact: {paths: secretPaths, censor: '[redacted]'},
			serializers: {err: (error: unknown) => (error instanceof Error ? errorFields(error) : {message: 'not an error'})},
		},
		destination,
	);

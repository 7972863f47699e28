import type {WebhookMessage} from '../model/message.ts';

/** The content codings that compress, by RFC 9110 and the registry of IANA. */
const compressions: ReadonlySet<string> = new Set([
	'gzip',
	'x-gzip',
	'deflate',
	'compress',
	'x-compress',
	'br',
	'zstd',
]);

const codingsOf = ({headers}: WebhookMessage): readonly string[] =>
	headers
		.filter(([name]) => name.toLowerCase() === 'content-encoding')
		.flatMap(([, value]) => value.split(','))
		.map((coding) => coding.trim().toLowerCase());

/**
 * Why a body that is not JSON is none, in words for people. What a sender compressed is passed on as it came and not unpacked
 * here, so its fields look as if they were missing. Only codings that are known are named: a header may hold anything.
 */
export const whyNoJson = (message: WebhookMessage): string => {
	if (message.body.length === 0) return 'the body is empty';
	const compressed = codingsOf(message).filter((coding) => compressions.has(coding));
	return compressed.length === 0
		? 'the body is not JSON'
		: `the body is compressed with ${compressed.join(', ')}, not JSON that can be read`;
};

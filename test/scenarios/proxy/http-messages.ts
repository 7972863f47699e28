import type {Socket} from 'node:net';

export type Field = readonly [name: string, value: string];

/** What stands before the body. */
export type Head = Readonly<{start: string; fields: readonly Field[]}>;

/** A message as it came over the wire; every byte of it is a character of Latin-1. */
export type HttpMessage = Head &
	Readonly<{
		body: string;
		trailers: readonly Field[];
		/** False when the connection ended first. */
		complete: boolean;
	}>;

/** Bytes of a connection, in the order in which they are asked for. Undefined: it ended before. */
export type ByteReader = Readonly<{
	/** Without its line end. */
	line(): Promise<string | undefined>;
	/** As many as are here, at least one and at most `most`. */
	some(most: number): Promise<string | undefined>;
}>;

export const createByteReader = (socket: Socket): ByteReader => {
	let buffered = '';
	let ended = false;
	let wake = () => {};
	socket.on('data', (chunk) => {
		buffered += chunk.toString('latin1');
		wake();
	});
	socket.on('error', () => {});
	for (const event of ['end', 'close'])
		socket.on(event, () => {
			ended = true;
			wake();
		});
	const take = async (ready: () => number): Promise<string | undefined> => {
		for (;;) {
			const length = ready();
			if (length > 0) {
				const taken = buffered.slice(0, length);
				buffered = buffered.slice(length);
				return taken;
			}
			if (ended) return undefined;
			await new Promise<void>((more) => {
				wake = more;
			});
		}
	};
	return {
		line: async () => (await take(() => (buffered.includes('\r\n') ? buffered.indexOf('\r\n') + 2 : 0)))?.slice(0, -2),
		some: (most) => take(() => Math.min(most, buffered.length)),
	};
};

const readFields = async (reader: ByteReader): Promise<readonly Field[] | undefined> => {
	const fields: Field[] = [];
	for (;;) {
		const line = await reader.line();
		if (line === undefined) return undefined;
		if (line === '') return fields;
		const colon = line.indexOf(':');
		fields.push([line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]);
	}
};

/** Undefined when the connection ended before it was there. */
export const readHead = async (reader: ByteReader): Promise<Head | undefined> => {
	const start = await reader.line();
	const fields = start === undefined ? undefined : await readFields(reader);
	return start === undefined || fields === undefined ? undefined : {start, fields};
};

export const fieldValues = ({fields}: Head, name: string): readonly string[] =>
	fields.filter(([each]) => each === name).map(([, value]) => value);

export const fieldOf = (head: Head, name: string): string => fieldValues(head, name).join(', ');

type Body = Pick<HttpMessage, 'body' | 'trailers' | 'complete'>;
type OnBytes = (count: number) => void;

const readExactly = async (reader: ByteReader, length: number, onBytes: OnBytes): Promise<Body> => {
	let body = '';
	while (body.length < length) {
		const some = await reader.some(length - body.length);
		if (some === undefined) break;
		body += some;
		onBytes(some.length);
	}
	return {body, trailers: [], complete: body.length === length || length === Number.POSITIVE_INFINITY};
};

const readChunked = async (reader: ByteReader, onBytes: OnBytes): Promise<Body> => {
	let body = '';
	for (;;) {
		const size = Number.parseInt((await reader.line()) ?? '', 16);
		if (size === 0) {
			const trailers = await readFields(reader);
			return {body, trailers: trailers ?? [], complete: trailers !== undefined};
		}
		const chunk = Number.isNaN(size) ? undefined : await readExactly(reader, size, onBytes);
		body += chunk?.body ?? '';
		if (!chunk?.complete || (await reader.line()) !== '') return {body, trailers: [], complete: false};
	}
};

/** Where nothing announces a body, a request has none, and that of a response lasts until the connection ends. */
type Extent = 'none' | 'announced' | 'rest';

const unannounced: Readonly<Record<Extent, number>> = {none: 0, announced: 0, rest: Number.POSITIVE_INFINITY};

/** @param onBytes is told how many bytes of the body arrived, each time that some did. */
export const readBody = async (
	reader: ByteReader,
	head: Head,
	{extent, onBytes = () => {}}: Readonly<{extent: Extent; onBytes?: OnBytes}>,
): Promise<HttpMessage> => {
	if (extent !== 'none' && /chunked$/i.test(fieldOf(head, 'transfer-encoding')))
		return {...head, ...(await readChunked(reader, onBytes))};
	const length = extent === 'none' ? '' : fieldOf(head, 'content-length');
	return {...head, ...(await readExactly(reader, length === '' ? unannounced[extent] : Number(length), onBytes))};
};

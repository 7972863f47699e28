const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Finds where events end: at the blank line behind them, whichever line ends the sender likes. */
const createEventEnds = () => {
	let isLineEmpty = true;
	let wasReturn = false;
	return (chunk: Buffer): readonly number[] => {
		const ends: number[] = [];
		for (const [at, byte] of chunk.entries()) {
			const isLineEnd = byte === lineFeed || byte === carriageReturn;
			if (byte === lineFeed && wasReturn) {
				// The second half of one line end is no line.
				if (ends.at(-1) === at) ends[ends.length - 1] = at + 1;
			} else {
				if (isLineEnd && isLineEmpty) ends.push(at + 1);
				isLineEmpty = isLineEnd;
			}
			wasReturn = byte === carriageReturn;
		}
		return ends;
	};
};

const dataOf = (line: string): string | undefined => {
	const field = /^data(?:: ?(.*))?$/s.exec(line);
	return field === null ? undefined : (field[1] ?? '');
};

/** The event with the same fields and other data; the very bytes when its data stays what it is. */
const rewriteEvent = (event: Buffer, rewrite: (data: Buffer) => Buffer): Buffer => {
	const lines = event.toString().split(/\r\n|\n|\r/);
	const data = lines.map(dataOf).filter((line) => line !== undefined);
	const before = Buffer.from(data.join('\n'));
	const after = rewrite(before);
	if (after === before) return event;
	const others = lines.filter((line) => line !== '' && dataOf(line) === undefined);
	const written = after
		.toString()
		.split('\n')
		.map((line) => `data: ${line}`);
	return Buffer.from(`${[...others, ...written].join('\n')}\n\n`);
};

/**
 * Passes a stream of events on, event by event, with other data where `rewrite` answers other bytes than it was given.
 * @param limit largest event that is read, in bytes: from the first larger one on everything passes as it is.
 */
export const rewriteEvents = async function* (
	body: AsyncIterable<Buffer>,
	rewrite: (data: Buffer) => Buffer,
	limit: number,
): AsyncGenerator<Buffer> {
	const endsIn = createEventEnds();
	let begun: Buffer[] = [];
	let size = 0;
	for await (const chunk of body) {
		if (size > limit) {
			yield chunk;
			continue;
		}
		let from = 0;
		for (const end of endsIn(chunk)) {
			yield rewriteEvent(Buffer.concat([...begun, chunk.subarray(from, end)]), rewrite);
			begun = [];
			size = 0;
			from = end;
		}
		begun.push(chunk.subarray(from));
		size += chunk.length - from;
		if (size <= limit) continue;
		yield* begun;
		begun = [];
	}
	yield* begun;
};

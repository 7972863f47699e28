import type {Body} from './api.ts';
import {until} from './mcp/until.ts';

export type Frame = Readonly<{id: number; event: string; data: Body}>;

const frameOf = (text: string): Frame | undefined => {
	const fields = new Map(
		text.split('\n').map((line): [string, string] => {
			const [name = '', ...rest] = line.split(': ');
			return [name, rest.join(': ')];
		}),
	);
	const [id, event, data] = ['id', 'event', 'data'].map((name) => fields.get(name));
	return id === undefined ? undefined : {id: Number(id), event: event ?? '', data: JSON.parse(data ?? '')};
};

type Listening = Readonly<{
	url: string;
	headers: Readonly<Record<string, string>>;
	/** Told of each; true: no more. */
	take?: (frame: Frame) => boolean;
}>;

/** Reads Server-Sent Events, byte by byte as they come. */
export const listenTo = async ({url, headers, take = () => false}: Listening) => {
	const end = new AbortController();
	const response = await fetch(url, {headers, signal: end.signal});
	const frames: Frame[] = [];
	const comments: string[] = [];
	const read = async (): Promise<void> => {
		let rest = '';
		for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
			const blocks = (rest + text).split('\n\n');
			rest = blocks.pop() ?? '';
			for (const block of blocks) {
				const frame = frameOf(block);
				if (frame === undefined) comments.push(block);
				else frames.push(frame);
				if (frame && take(frame)) return end.abort();
			}
		}
	};
	const ended = response.ok
		? read().catch(() => undefined)
		: response.text().then(
				() => undefined,
				() => undefined,
			);
	return {
		...{response, frames, comments, ended},
		end: async () => {
			end.abort();
			await ended;
		},
		/** The first of that name, or the first of which that holds. */
		frame: (event: string, holds: (data: Body) => boolean = () => true): Promise<Frame> =>
			until(async () => frames.find((each) => each.event === event && holds(each.data)), event),
	};
};

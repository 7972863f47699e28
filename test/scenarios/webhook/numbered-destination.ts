import {setTimeout as pause} from 'node:timers/promises';
import {listen} from '../../support/mcp/listen.ts';

/** Where numbered webhooks arrive. */
export type NumberedDestination = Readonly<{
	/** Addresses of several destinations, which count as one here. */
	urls: readonly string[];
	/** The `webhook-id` of each arrival of that number. */
	arrivals(number: number): readonly string[];
	close(): Promise<void>;
}>;

/** What a numbered webhook says. */
export const numberedBody = (number: number): string => JSON.stringify({number});

export const numberIn = (body: string): number => JSON.parse(body).number;

/** Takes what is delivered, and answers after a moment, one in eight after a longer one. */
export const startNumberedDestination = async (destinations: number): Promise<NumberedDestination> => {
	const ids = new Map<number, string[]>();
	const start = () =>
		listen(async (request, response) => {
			const chunks: Buffer[] = [];
			request.on('error', () => {});
			response.on('error', () => {});
			for await (const chunk of request) chunks.push(chunk as Buffer);
			const number = numberIn(Buffer.concat(chunks).toString());
			ids.set(number, [...(ids.get(number) ?? []), String(request.headers['webhook-id'])]);
			await pause(number % 8 === 0 ? 60 : 2);
			response.end();
		});
	const listening = await Promise.all(Array.from({length: destinations}, start));
	return {
		urls: listening.map(({origin}) => `${origin}/hook`),
		arrivals: (number) => ids.get(number) ?? [],
		close: async () => {
			await Promise.all(listening.map(({close}) => close()));
		},
	};
};

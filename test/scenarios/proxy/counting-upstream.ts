import {setTimeout as pause} from 'node:timers/promises';
import {listen} from '../../support/mcp/listen.ts';

export type CountingUpstream = Readonly<{
	url: string;
	/** How often the call with that number ran. */
	executions(number: number): number;
	close(): Promise<void>;
}>;

/** Runs what it is sent after a moment, one in eight after a longer one, and counts how often it ran each call. */
export const startCountingUpstream = async (): Promise<CountingUpstream> => {
	const executions = new Map<number, number>();
	const {origin, close} = await listen(async (request, response) => {
		const chunks: Buffer[] = [];
		request.on('error', () => {});
		response.on('error', () => {});
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const {id, params} = JSON.parse(Buffer.concat(chunks).toString());
		const {number} = params.arguments;
		executions.set(number, (executions.get(number) ?? 0) + 1);
		await pause(number % 8 === 0 ? 60 : 2);
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({jsonrpc: '2.0', id, result: {content: [{type: 'text', text: `ran ${number}`}]}}));
	});
	return {url: `${origin}/mcp`, executions: (number) => executions.get(number) ?? 0, close};
};

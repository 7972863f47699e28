import {setTimeout as pause} from 'node:timers/promises';
import {Agent, type Dispatcher, request} from 'undici';
import {type Api, type Body, bearer, createApi} from '../../support/api.ts';
import type {Whereabouts} from '../../support/restartable-server.ts';

/** What the clients saw. Every call has a number of its own, which its arguments carry. */
export type Seen = Readonly<{
	/** The whole answer, by the number of the call. */
	answered: ReadonlyMap<number, string>;
	/** Calls that were blocked or refused: their clients know that nothing ran. */
	refused: ReadonlySet<number>;
	/** Calls whose connection was cut: before their answer, or within it. */
	cut: ReadonlySet<number>;
}>;

export type Load = Readonly<{seen: Seen; stop(): Promise<void>}>;

/** Slugs of a server that holds nothing, and of one that holds everything. */
export type Slugs = Readonly<{open: string; held: string}>;

const openCallers = 32;
const heldCallers = 8;

/** A call in its very bytes: so it is identical when it is made again. */
export const numberedCall = (number: number): string =>
	`{"jsonrpc":"2.0","id":${number},"method":"tools/call","params":{"name":"delete_item","arguments":{"number":${number}}}}`;

export const callHeaders = {'content-type': 'application/json', accept: 'application/json, text/event-stream'};

const send = async (
	dispatcher: Dispatcher,
	url: string,
	number: number,
): Promise<Readonly<{status: number; text: string}>> => {
	const {statusCode, body} = await request(url, {
		dispatcher,
		method: 'POST',
		headers: callHeaders,
		body: numberedCall(number),
	});
	return {status: statusCode, text: await body.text()};
};

/** The JSON-RPC response in an answer that is JSON, or a stream of events. */
export const responseIn = (text: string): Body => {
	const data = text.startsWith('{') ? text : (text.split('\n').findLast((line) => line.startsWith('data: {')) ?? '');
	return data === '' ? undefined : JSON.parse(data.replace(/^data: /, ''));
};

const ranWell = ({status, text}: Readonly<{status: number; text: string}>): boolean => {
	const result = status === 200 ? responseIn(text)?.result : undefined;
	return result !== undefined && result.isError !== true;
};

/** Approves nine of ten, whether their callers still wait or died with the server, and rejects the others. */
const decideAll = async (api: Api): Promise<void> => {
	const {data} = (await api.get('/v1/mcp/approvals')).body;
	const decisions = data.map(async ({id, request_body}: Body) => {
		if (request_body.number % 7 === 0 && Math.random() < 0.5) return;
		await api.post(`/v1/mcp/approvals/${id}/${request_body.number % 10 === 0 ? 'reject' : 'approve'}`, {});
	});
	await Promise.all(decisions);
};

/** Clients that call as fast as they are answered, and a person who decides, through every death of the server. */
export const startLoad = (server: Whereabouts, slugs: Slugs, accessToken: string): Load => {
	const answered = new Map<number, string>();
	const refused = new Set<number>();
	const cut = new Set<number>();
	const agent = new Agent({connections: openCallers + heldCallers});
	let last = 0;
	let stopped = false;
	const whileLoaded = async (work: (origin: string) => Promise<void>): Promise<void> => {
		while (!stopped) {
			const origin = server.origin();
			if (origin === undefined) await pause(5);
			else await work(origin);
		}
	};
	const callOnce = (slug: string) => async (origin: string) => {
		last += 1;
		const number = last;
		try {
			const answer = await send(agent, `${origin}/p/${slug}`, number);
			if (ranWell(answer)) answered.set(number, answer.text);
			else refused.add(number);
		} catch {
			cut.add(number);
			await pause(5);
		}
	};
	const decide = async (origin: string) => {
		await decideAll(createApi(origin, bearer(accessToken))).catch(() => {});
		await pause(20);
	};
	const running = [
		...Array.from({length: openCallers}, () => whileLoaded(callOnce(slugs.open))),
		...Array.from({length: heldCallers}, () => whileLoaded(callOnce(slugs.held))),
		whileLoaded(decide),
	];
	return {
		seen: {answered, refused, cut},
		stop: async () => {
			stopped = true;
			await Promise.all(running);
			await agent.close();
		},
	};
};

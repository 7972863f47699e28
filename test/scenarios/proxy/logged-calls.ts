import type {Api, Body} from '../../support/api.ts';
import {fieldOf, type HttpMessage} from './http-messages.ts';
import type {Seen} from './run-wire-case.ts';

/** A call as the log has it. */
export type LoggedCall = Readonly<{method: string; request_body: string; response_body: string}>;

/** The log of a server, oldest first. */
export const loggedCalls = async (api: Api, serverId: string): Promise<readonly LoggedCall[]> => {
	const {data} = (await api.get(`/v1/mcp/calls?server_id=${serverId}&limit=100`)).body;
	const calls = data.toReversed().map(async ({id}: Body) => (await api.get(`/v1/mcp/calls/${id}`)).body);
	return (await Promise.all(calls)).map(({method, request_body, response_body}) => ({
		method,
		request_body,
		response_body,
	}));
};

const textOf = ({body}: HttpMessage): string => Buffer.from(body, 'latin1').toString();

/** The data of each event (HTML, 9.2.6), without regard to its type. */
const eventsIn = (stream: string): readonly string[] =>
	stream
		.replace(/^\ufeff/, '')
		.replaceAll(/\r\n?/g, '\n')
		.split('\n\n')
		.slice(0, -1)
		.map((event) =>
			event
				.split('\n')
				.filter((line) => line === 'data' || line.startsWith('data:'))
				.map((line) => line.replace(/^data:? ?/, ''))
				.join('\n'),
		);

const answers = (text: string, id: unknown): boolean => {
	if (!text.startsWith('{')) return false;
	const message = JSON.parse(text);
	return message.method === undefined && message.id === id;
};

const elementFor = (batch: string, id: unknown): string =>
	JSON.stringify(JSON.parse(batch).find((response: Body) => response.id === id));

/** What an answer says to the request of that id: the response in its events or its batch, else all that it says. */
const responseIn = (answer: HttpMessage, id: unknown, isBatch: boolean): string => {
	const text = textOf(answer);
	if (!fieldOf(answer, 'content-type').toLowerCase().startsWith('text/event-stream'))
		return isBatch ? elementFor(text, id) : text;
	return eventsIn(text).find((data) => answers(data, id)) ?? '';
};

/** The calls among what was sent and answered: requests of JSON-RPC, and nothing else. */
export const callsIn = ({requests, answers: answered}: Seen): readonly LoggedCall[] =>
	requests.flatMap((request, index) => {
		const answer = answered[index];
		if (request.body === '' || answer === undefined) return [];
		const message: Body = JSON.parse(textOf(request));
		const isBatch = Array.isArray(message);
		return [message]
			.flat()
			.filter(({id, method}) => id !== undefined && method !== undefined)
			.map((each) => ({
				method: each.method,
				request_body: isBatch ? JSON.stringify(each) : textOf(request),
				response_body: responseIn(answer, each.id, isBatch),
			}));
	});

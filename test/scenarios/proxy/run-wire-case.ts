import {connect} from 'node:net';
import {setImmediate as turn} from 'node:timers/promises';
import {until} from '../../support/mcp/until.ts';
import {createByteReader, type Head, type HttpMessage, readBody, readHead} from './http-messages.ts';
import type {RawUpstream} from './raw-upstream.ts';
import {
	type Address,
	isMeanwhile,
	type RawMessage,
	rawMessage,
	type WireCase,
	type WireExchange,
} from './wire-cases.ts';

/** An answer, and the statuses of the interim ones before it. */
export type SeenAnswer = HttpMessage & Readonly<{interim: readonly number[]}>;

/** What went over the wire in one run of a case: what the client read, and what reached the upstream. */
export type Seen = Readonly<{answers: readonly SeenAnswer[]; requests: readonly HttpMessage[]}>;

const unanswered: SeenAnswer = {start: '', fields: [], body: '', trailers: [], complete: false, interim: []};

/** How far an answer has come. */
type Progress = {arrived: number; readonly interim: number[]};

const hasNoBody = (status: number, request: string): boolean =>
	status === 204 || status === 304 || request.startsWith('HEAD ');

export const statusOf = ({start}: Head): number => Number(start.split(' ')[1]);

const openClient = ({port}: Address) => {
	const socket = connect(port, '127.0.0.1').setNoDelay();
	const reader = createByteReader(socket);

	const readAnswer = async (request: string, progress: Progress): Promise<SeenAnswer> => {
		const {interim} = progress;
		for (;;) {
			const head = await readHead(reader);
			if (head === undefined) return unanswered;
			if (statusOf(head) < 200) {
				interim.push(statusOf(head));
				continue;
			}
			progress.arrived = 0;
			const extent = hasNoBody(statusOf(head), request) ? 'none' : 'rest';
			const onBytes = (count: number) => {
				progress.arrived += count;
			};
			return {...(await readBody(reader, head, {extent, onBytes})), interim};
		}
	};
	const writeRequest = async ({head, pieces, frame, end}: RawMessage, progress: Progress): Promise<void> => {
		socket.write(head);
		if (head.includes('Expect: ')) await until(() => progress.interim.includes(100), 'an answer to Expect');
		for (const piece of pieces) {
			await turn();
			if (!isMeanwhile(piece)) socket.write(frame(piece));
		}
		socket.write(end);
	};
	return {socket, readAnswer, writeRequest, close: () => socket.destroy()};
};

type Client = ReturnType<typeof openClient>;

const wholeOf = ({head, pieces, frame, end}: RawMessage): Buffer =>
	Buffer.concat([head, ...pieces.map((piece) => (isMeanwhile(piece) ? Buffer.of() : frame(piece))), end]);

/**
 * Runs a case once, by way of an address that leads to the upstream. What the proxy answers itself is left out of a run
 * that goes straight.
 */
export const runWireCase = async (each: WireCase, upstream: RawUpstream, address: Address): Promise<Seen> => {
	const answers: SeenAnswer[] = [];
	const straight = address.port === upstream.port;

	const prepare = (exchange: WireExchange, client: Client) => {
		const progress: Progress = {arrived: -1, interim: []};
		const end: {error?: unknown; reached: boolean} = {reached: exchange.answer === undefined};
		const finish = (error?: unknown) => Object.assign(end, {reached: true, error});
		if (!end.reached) upstream.expect({exchange, arrived: () => progress.arrived, meanwhile: runApart, finish});
		const request = rawMessage(exchange.request, address);
		// In the order in which exchanges begin, as requests reach the upstream.
		const place = answers.push(unanswered) - 1;
		const read = async () => {
			const answer = await client.readAnswer(request.head.toString('latin1'), progress);
			await until(() => end.reached, 'the end of the exchange at the upstream');
			if (end.error !== undefined) throw end.error;
			answers[place] = answer;
		};
		return {request, read, write: () => client.writeRequest(request, progress)};
	};
	const run = async (exchange: WireExchange, client: Client) => {
		const {read, write} = prepare(exchange, client);
		await Promise.all([read(), write()]);
	};
	const runApart = async (exchange: WireExchange) => {
		const client = openClient(address);
		await run(exchange, client);
		client.close();
	};
	const exchanges = each.exchanges.filter(({own}) => !straight || own === undefined);
	let client = openClient(address);
	if (each.pipelined) {
		const prepared = exchanges.map((exchange) => prepare(exchange, client));
		client.socket.write(Buffer.concat(prepared.map(({request}) => wholeOf(request))));
		for (const {read} of prepared) await read();
	} else
		for (const exchange of exchanges) {
			await run(exchange, client);
			if (straight && exchange.ends !== undefined) client = openClient(address);
		}
	client.close();
	return {answers, requests: upstream.received()};
};

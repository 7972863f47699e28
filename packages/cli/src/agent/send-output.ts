import {type AgentPeer, type OutputChunk, RpcError, requestMaxBytes} from '@signalbox/rpc';
import type {Clock} from '../clock.ts';
import type {OutputSink, OutputStream} from './attempt.ts';
import {createNap} from './nap.ts';
import {persist} from './persist.ts';

export type OutputNeeds = Readonly<{
	peer: Pick<AgentPeer, 'appendOutput'>;
	clock: Clock;
	execution_id: string;
	lease_token: string;
	/** Bytes in one chunk, at most. */
	chunkMaxBytes: number;
	/** Gives up. */
	signal: AbortSignal;
}>;

/** Brings what a command prints to the server, in the order in which it was printed. */
export type OutputSender = Readonly<{
	push: OutputSink;
	/** Bytes of both streams that the server has. */
	offset(): number;
	/** To be called after the last push. Resolves once the server has everything, wants no more, or it is of no use. */
	end(): Promise<void>;
	/** Drops what was not sent, and what follows. */
	abandon(): void;
}>;

/** Output that the server does not have yet; `offset` counts the bytes of both streams before it. */
type Piece = Readonly<{stream: OutputStream; offset: number; data: Uint8Array}>;

/** A command that prints a line now and then is not worth a call for each. */
const gatherMs = 250;
const mostFaults = 5;
/** What a message holds besides its data. */
const frameBytes = 4096;

const streams = {stdout: 'STDOUT', stderr: 'STDERR'} as const;

/** Cuts off what lies before the offset. */
const behind = (piece: Piece, offset: number): readonly Piece[] => {
	const cut = Math.max(0, offset - piece.offset);
	if (cut >= piece.data.length) return [];
	return [{...piece, offset: piece.offset + cut, data: piece.data.subarray(cut)}];
};

const createBuffer = () => {
	let pieces: Piece[] = [];
	let printed = 0;
	let accepted = 0;
	return {
		push: (stream: OutputStream, data: Uint8Array): void => {
			pieces.push({stream, offset: printed, data});
			printed += data.length;
		},
		accept: (offset: number): void => {
			accepted = Math.min(offset, printed);
			pieces = pieces.flatMap((piece) => behind(piece, accepted));
		},
		pieces: (): readonly Piece[] => [...pieces],
		accepted: () => accepted,
		isEmpty: () => accepted === printed,
	};
};

/** Neighbours of one stream together, as long as a chunk holds them: each chunk is a write of the server. */
const joined = (pieces: readonly Piece[], most: number): readonly Piece[] => {
	const runs: {first: Piece; parts: Uint8Array[]; length: number}[] = [];
	for (const piece of pieces) {
		const run = runs.at(-1);
		if (run?.first.stream === piece.stream && run.length + piece.data.length <= most) {
			run.parts.push(piece.data);
			run.length += piece.data.length;
		} else {
			runs.push({first: piece, parts: [piece.data], length: piece.data.length});
		}
	}
	return runs.map(({first, parts}) => (parts.length === 1 ? first : {...first, data: Buffer.concat(parts)}));
};

async function* chunksOf(pieces: readonly Piece[], needs: OutputNeeds): AsyncGenerator<OutputChunk, void> {
	const {execution_id, lease_token} = needs;
	const most = Math.max(1, Math.min(needs.chunkMaxBytes, requestMaxBytes - frameBytes));
	for (const {stream, offset, data} of joined(pieces, most))
		for (let at = 0; at < data.length; at += most)
			yield {
				execution_id,
				lease_token,
				stream: streams[stream],
				offset: offset + at,
				data: data.subarray(at, at + most),
			};
}

/** Sends in calls of their own what gathered meanwhile: what a lost connection swallowed is sent again, from where the server has it. */
export const sendOutput = (needs: OutputNeeds): OutputSender => {
	const {peer, clock, signal} = needs;
	const buffer = createBuffer();
	const [idle, gathering] = [createNap(clock), createNap(clock)];
	let hasEnded = false;
	let isWanted = true;

	const sendOnce = async (): Promise<void> => {
		if (!isWanted) return;
		const {accepted_offset, stop} = await peer.appendOutput(chunksOf(buffer.pieces(), needs), {signal});
		const before = buffer.accepted();
		if (stop || accepted_offset < before) isWanted = false;
		else if (accepted_offset === before) throw new RpcError('unavailable', 'The server took no output.');
		else buffer.accept(accepted_offset);
	};
	const send = async (): Promise<void> => {
		await persist(sendOnce, {clock, signal, mostFaults}).catch(() => {
			isWanted = false;
		});
		if (!hasEnded && isWanted) await gathering.sleep(gatherMs);
	};
	const run = async (): Promise<void> => {
		while (isWanted && !(hasEnded && buffer.isEmpty())) await (buffer.isEmpty() ? idle.sleep() : send());
	};
	const wake = (): void => {
		idle.wake();
		gathering.wake();
	};

	const sent = run();
	return {
		push: (stream, bytes) => {
			if (!isWanted) return;
			buffer.push(stream, bytes);
			idle.wake();
		},
		offset: buffer.accepted,
		end: () => {
			hasEnded = true;
			wake();
			return sent;
		},
		abandon: () => {
			isWanted = false;
			wake();
		},
	};
};

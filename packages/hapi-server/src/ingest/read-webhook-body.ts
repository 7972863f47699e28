import type {IncomingMessage} from 'node:http';
import type {ByteBudget} from './byte-budget.ts';

/** `gone`: the sender went away. `busy`: too much is held in memory already. */
export type BodyFault = 'too_large' | 'gone' | 'busy';
export type BodyReading = Readonly<{ok: true; bytes: Buffer}> | Readonly<{ok: false; because: BodyFault}>;

export type BodyReader = Readonly<{
	/** The whole body, counted as it streams. Never rejects. */
	read(): Promise<BodyReading>;
	/** Gives back what the body holds of the budget. */
	release(): void;
}>;

const declaresMore = ({headers}: IncomingMessage, limit: number): boolean =>
	Number(headers['content-length'] ?? 0) > limit;

const joined = (chunks: readonly Buffer[], size: number): Buffer => {
	const [first] = chunks;
	return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, size);
};

/** While the budget is used up, the sender's socket is not read. */
export const createBodyReader = (request: IncomingMessage, limit: number, budget: ByteBudget): BodyReader => {
	const chunks: Buffer[] = [];
	let held = 0;
	const collect = (settle: (reading: BodyReading) => void) => {
		let size = 0;
		let hasEnded = false;
		const keep = (chunk: Buffer) => {
			held += chunk.length;
			chunks.push(chunk);
		};
		const wait = async (granting: Promise<boolean>, chunk: Buffer) => {
			request.pause();
			const granted = await granting;
			if (granted) keep(chunk);
			else end({ok: false, because: 'busy'});
			// Whoever ended meanwhile has given back what was held until then.
			if (granted && hasEnded) release();
			request.resume();
		};
		const take = (chunk: Buffer) => {
			size += chunk.length;
			if (size > limit) return end({ok: false, because: 'too_large'});
			const granted = budget.take(chunk.length);
			if (granted === true) keep(chunk);
			else void wait(granted, chunk);
		};
		const finish = () => end({ok: true, bytes: joined(chunks, size)});
		const leave = () => end({ok: false, because: 'gone'});
		const end = (reading: BodyReading) => {
			hasEnded = true;
			request.off('data', take).off('end', finish).off('close', leave);
			settle(reading);
		};
		request.on('data', take).on('end', finish).on('close', leave);
	};
	const release = () => {
		budget.give(held);
		held = 0;
		chunks.length = 0;
	};
	return {
		read: () =>
			new Promise((settle) => {
				if (request.destroyed) settle({ok: false, because: 'gone'});
				else if (declaresMore(request, limit)) settle({ok: false, because: 'too_large'});
				else collect(settle);
			}),
		release,
	};
};

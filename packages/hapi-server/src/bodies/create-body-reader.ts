import type {IncomingMessage} from 'node:http';
import type {BodyBudget, BodyKeeper, Holding} from './body-budget.ts';

/** `gone`: the sender went away. `busy`: too much is held in memory already. */
export type BodyFault = 'too_large' | 'gone' | 'busy';
export type BodyReading = Readonly<{ok: true; bytes: Buffer}> | Readonly<{ok: false; because: BodyFault}>;

export type BodyReader = Readonly<{
	/** The whole body, counted as it streams. Never rejects. */
	read(): Promise<BodyReading>;
	/** Gives back what the body holds of the budget. */
	release(): void;
}>;

export type BodyRules = Readonly<{
	budget: BodyBudget;
	/** Whose share of the budget the body counts towards. */
	owner: string;
	/** Largest body. Bytes. */
	limit: number;
}>;

const declaresMore = ({headers}: IncomingMessage, limit: number): boolean =>
	Number(headers['content-length'] ?? 0) > limit;

const joined = (chunks: readonly Buffer[], size: number): Buffer => {
	const [first] = chunks;
	return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, size);
};

class Reader implements BodyReader, BodyKeeper {
	readonly #request: IncomingMessage;
	readonly #limit: number;
	readonly #holding: Holding;
	#settle: ((reading: BodyReading) => void) | undefined;
	#chunks: Buffer[] = [];
	#size = 0;
	/** Chunks that wait for their place: the last of them may do so when nothing more comes. */
	#waiting = 0;
	#hasEnded = false;

	constructor(request: IncomingMessage, {budget, owner, limit}: BodyRules) {
		this.#request = request;
		this.#limit = limit;
		this.#holding = budget.open(owner, this);
	}

	read(): Promise<BodyReading> {
		return new Promise((resolve) => {
			this.#settle = resolve;
			if (this.#request.destroyed) return this.#fail('gone');
			if (declaresMore(this.#request, this.#limit)) return this.#fail('too_large');
			// They stay: to take a listener away costs more than to call it once more.
			this.#request.on('data', (chunk: Buffer) => this.#take(chunk));
			this.#request.on('end', () => this.#end());
			this.#request.on('close', () => this.#leave());
		});
	}

	release(): void {
		this.#chunks = [];
		this.#holding.release();
	}

	giveUp(): void {
		this.#fail('busy');
	}

	#take(chunk: Buffer): void {
		if (this.#settle === undefined) return;
		this.#size += chunk.length;
		if (this.#size > this.#limit) this.#fail('too_large');
		else this.#keep(chunk);
	}

	#keep(chunk: Buffer): void {
		this.#chunks.push(chunk);
		const granted = this.#holding.take(chunk.length);
		if (granted !== true) void this.#wait(granted);
	}

	/** Meanwhile the sender's socket is not read. */
	async #wait(granting: Promise<boolean>): Promise<void> {
		this.#waiting += 1;
		this.#request.pause();
		const granted = await granting;
		this.#waiting -= 1;
		if (!granted) this.#fail('busy');
		this.#request.resume();
		this.#finish();
	}

	#end(): void {
		this.#hasEnded = true;
		this.#holding.complete();
		this.#finish();
	}

	#leave(): void {
		if (!this.#hasEnded) this.#fail('gone');
	}

	#finish(): void {
		if (!this.#hasEnded || this.#waiting > 0 || this.#settle === undefined) return;
		this.#settle({ok: true, bytes: joined(this.#chunks, this.#size)});
		this.#settle = undefined;
	}

	#fail(because: BodyFault): void {
		this.release();
		this.#settle?.({ok: false, because});
		this.#settle = undefined;
	}
}

export const createBodyReader = (request: IncomingMessage, rules: BodyRules): BodyReader => new Reader(request, rules);

/** Reads on without keeping anything, so that the client can read its answer; past `limit` more bytes it is cut off. */
export const discard = (request: IncomingMessage, limit: number): void => {
	let discarded = 0;
	request.on('data', (chunk: Buffer) => {
		discarded += chunk.length;
		if (discarded > limit) request.destroy();
	});
};

/**
 * SQLite has one writer. Those who find it taken wait inside SQLite, on a thread, and few threads doing so starve the one
 * that would let them in; a synchronous driver would even stop itself. So whoever writes in this process, on whatever
 * thread, passes this gate first, and waits outside of SQLite without a thread.
 */
export type WriteGate = Readonly<{
	/** Runs `work` while nobody else in the process writes. Not to be nested. */
	run<T>(work: () => Promise<T>): Promise<T>;
}>;

/** Word 0 says which place holds the gate (0: nobody); word n says what place n is doing. */
const holder = 0;
const places = 64;
const state = {empty: 0, idle: 1, wants: 2} as const;

/** The memory of one gate, for one database file. Hand it to every thread that writes to the file. */
export const createGateMemory = (): SharedArrayBuffer =>
	new SharedArrayBuffer((places + 1) * Int32Array.BYTES_PER_ELEMENT);

/** A place at the gate for one thread. */
export const reservePlace = (memory: SharedArrayBuffer): number => {
	const words = new Int32Array(memory);
	for (let place = 1; place <= places; place += 1) {
		if (Atomics.compareExchange(words, place, state.empty, state.idle) === state.empty) return place;
	}
	throw new Error(`more than ${places} threads write to one database`);
};

/** The next place that wants the gate, going round, so that every thread has its turn. */
const nextWanting = (words: Int32Array, from: number): number => {
	for (let step = 1; step <= places; step += 1) {
		const place = ((from - 1 + step) % places) + 1;
		if (Atomics.load(words, place) === state.wants) return place;
	}
	return 0;
};

/** Hands the gate on, if `place` holds it. */
const passOn = (words: Int32Array, place: number): void => {
	const next = nextWanting(words, place);
	if (Atomics.compareExchange(words, holder, place, next) !== place) return;
	Atomics.notify(words, holder);
	// Its thread may have died in between: then nobody would ever pass the gate on.
	if (next !== 0 && Atomics.load(words, next) !== state.wants) passOn(words, next);
};

/** Gives up the place of a thread that has ended, and opens the gate if it died inside. */
export const vacatePlace = (memory: SharedArrayBuffer, place: number): void => {
	const words = new Int32Array(memory);
	Atomics.store(words, place, state.empty);
	passOn(words, place);
};

/** Enters if nobody is inside: without a timer and without a turn of the event loop. */
const enter = (words: Int32Array, place: number): boolean => {
	Atomics.store(words, place, state.wants);
	return Atomics.compareExchange(words, holder, 0, place) === 0;
};

const acquire = async (words: Int32Array, place: number): Promise<void> => {
	for (;;) {
		const now = Atomics.load(words, holder);
		if (now === place) return;
		if (now === 0 && Atomics.compareExchange(words, holder, 0, place) === 0) return;
		const wait = Atomics.waitAsync(words, holder, now);
		if (wait.async) await wait.value;
	}
};

/** Such a wait does not keep a process alive by itself, and a process must not end with a write outstanding. */
const keepingAlive = async (waiting: Promise<void>): Promise<void> => {
	const timer = setInterval(() => undefined, 60_000);
	await waiting.finally(() => clearInterval(timer));
};

/** The gate as this thread sees it. First come, first served within a thread; between threads by turns. */
export const createWriteGate = (memory: SharedArrayBuffer, place: number): WriteGate => {
	const words = new Int32Array(memory);
	let last: Promise<unknown> = Promise.resolve();
	const pass = async <T>(work: () => Promise<T>): Promise<T> => {
		if (!enter(words, place)) await keepingAlive(acquire(words, place));
		try {
			return await work();
		} finally {
			Atomics.store(words, place, state.idle);
			passOn(words, place);
		}
	};
	return {
		run: async (work) => {
			const result = last.then(async () => pass(work));
			last = result.catch(() => undefined);
			return result;
		},
	};
};

export type GateOfFile = Readonly<{memory: SharedArrayBuffer; gate: WriteGate}>;

const gates = new Map<string, GateOfFile>();

/** The one gate of a database file in this process, for the thread that opens databases. */
export const gateOfFile = (file: string): GateOfFile => {
	const known = gates.get(file);
	if (known) return known;
	const memory = createGateMemory();
	const made = {memory, gate: createWriteGate(memory, reservePlace(memory))};
	gates.set(file, made);
	return made;
};

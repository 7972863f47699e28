import type {MessagePort} from 'node:worker_threads';
import {DomainError} from '@signalbox/core';
import type {Transaction} from './connection.ts';
import {sqliteDialect} from './dialects/sqlite.ts';
import {chooseDriver} from './drivers/choose-driver.ts';
import type {Session} from './session.ts';
import {foldBack, prepareBursts, prepareWriter} from './sqlite-settings.ts';
import {commitWork, transactionOn} from './transactions.ts';
import {createWriteGate} from './write-gate.ts';
import type {FailureCause, FromWriter, ToWriter, WriterData} from './writer-protocol.ts';

/** One transaction, durable when it resolves. `offset_ms`: how far the store's clock is ahead of the database's. */
export type Write = <T>(work: (transaction: Transaction) => Promise<T>, offset_ms: number) => Promise<T>;

type Answered<A> = Readonly<{value: A; moved?: readonly ArrayBuffer[]}>;

const causeOf = (error: unknown): FailureCause | undefined => {
	if (!(error instanceof Error && error.cause instanceof Error)) return undefined;
	const {message, code}: NodeJS.ErrnoException = error.cause;
	return {message, code};
};

const failure = (error: unknown): FromWriter<never> => ({
	reason: error instanceof DomainError ? error.reason : undefined,
	message: error instanceof Error ? error.message : String(error),
	cause: causeOf(error),
});

/** A burst is over when nothing came for so long. Milliseconds. */
const pauseMs = 50;

/** Folds the log back after each burst. @returns what to call after each write, and at the end. */
const foldingAfterBursts = async (session: Session) => {
	await prepareBursts(session);
	let timer: NodeJS.Timeout | undefined;
	const stop = () => clearTimeout(timer);
	const later = () => {
		stop();
		// That it fails harms nobody: the next one folds it.
		timer = setTimeout(() => void foldBack(session).catch(() => undefined), pauseMs);
	};
	return {later, stop};
};

type Perform<M, A> = (message: M, write: Write) => Promise<Answered<A>>;

/** The database as the thread writes to it. */
type Target = Readonly<{
	write: Write;
	/** To be called after each write. */
	written(): void;
	close(): Promise<void>;
}>;

const openFile = async (data: Extract<WriterData, {gate: unknown}>, in_bursts: boolean): Promise<Target> => {
	const session = await (await chooseDriver(data.driver)).openHere(data.storage);
	await prepareWriter(session);
	const folding = in_bursts ? await foldingAfterBursts(session) : undefined;
	const {run} = createWriteGate(data.gate, data.place);
	return {
		write: async (work, offset_ms) =>
			run(async () =>
				commitWork(
					transactionOn(session, sqliteDialect, () => offset_ms),
					work,
				),
			),
		written: () => folding?.later(),
		close: async () => {
			folding?.stop();
			await session.close();
		},
	};
};

const openServer = async (url: string): Promise<Target> => {
	const {connectMysqlWriter} = await import('./mysql-connection.ts');
	let offset = 0;
	const connection = await connectMysqlWriter({url, clockOffset: () => offset});
	return {
		write: async (work, offset_ms) => {
			offset = offset_ms;
			return connection.write(work);
		},
		written: () => undefined,
		close: connection.close,
	};
};

/**
 * The service of a writer that writer-thread started, on the same database; of a file, with the same library and gate.
 * @param in_bursts Many writes come at once, and none for long: the log is folded back after them, not in between.
 */
export const writerService =
	<M, A>(perform: Perform<M, A>, {in_bursts = false}: Readonly<{in_bursts?: boolean}> = {}) =>
	async (port: MessagePort, data: WriterData): Promise<void> => {
		const {write, written, close} = 'url' in data ? await openServer(data.url) : await openFile(data, in_bursts);
		const answer = async (message: M): Promise<void> => {
			try {
				const {value, moved = []} = await perform(message, write);
				port.postMessage({value} satisfies FromWriter<A>, [...moved]);
			} catch (error) {
				port.postMessage(failure(error));
			}
			written();
		};
		const end = async (): Promise<void> => {
			await close();
			port.close();
		};
		let last: Promise<void> = Promise.resolve();
		port.on('message', (message: ToWriter<M>) => {
			last = last.then(async () => (message === 'close' ? end() : answer(message as M)));
		});
		port.postMessage('ready' satisfies FromWriter<A>);
	};

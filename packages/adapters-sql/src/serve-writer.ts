import {parentPort, workerData} from 'node:worker_threads';
import {DomainError} from '@signalbox/core';
import type {Transaction} from './connection.ts';
import {chooseDriver} from './drivers/choose-driver.ts';
import type {Session} from './session.ts';
import {deferFolding, foldBack, prepareWriter} from './sqlite-settings.ts';
import {commitWork, transactionOn} from './transactions.ts';
import {createWriteGate} from './write-gate.ts';
import type {FromWriter, ToWriter, WriterData} from './writer-protocol.ts';

/** One transaction, durable when it resolves. `offset_ms`: how far the store's clock is ahead of the database's. */
export type Write = <T>(work: (transaction: Transaction) => Promise<T>, offset_ms: number) => Promise<T>;

type Answered<A> = Readonly<{value: A; moved?: readonly ArrayBuffer[]}>;

const failure = (error: unknown): FromWriter<never> => ({
	reason: error instanceof DomainError ? error.reason : undefined,
	message: error instanceof Error ? error.message : String(error),
});

/** A burst is over when nothing came for so long. Milliseconds. */
const pauseMs = 50;

/** Folds the log back after each burst. @returns what to call after each write, and at the end. */
const foldingAfterBursts = async (session: Session) => {
	await deferFolding(session);
	let timer: NodeJS.Timeout | undefined;
	const stop = () => clearTimeout(timer);
	const later = () => {
		stop();
		// That it fails harms nobody: the next one folds it.
		timer = setTimeout(() => void foldBack(session).catch(() => undefined), pauseMs);
	};
	return {later, stop};
};

/**
 * What a thread does that writer-thread started, on the same file, library and gate.
 * @param in_bursts Many writes come at once, and none for long: the log is folded back after them, not in between.
 */
export const serveWriter = async <M, A>(
	perform: (message: M, write: Write) => Promise<Answered<A>>,
	{in_bursts = false}: Readonly<{in_bursts?: boolean}> = {},
): Promise<void> => {
	if (!parentPort) throw new Error('a writer runs in a worker thread');
	const port = parentPort;
	const {storage, driver, gate, place} = workerData as WriterData;
	// Past Sequelize: what it adds to a statement costs several times what SQLite does with a row.
	const session = await (await chooseDriver(driver)).openHere(storage);
	await prepareWriter(session);
	const folding = in_bursts ? await foldingAfterBursts(session) : undefined;
	const {run} = createWriteGate(gate, place);
	const write: Write = async (work, offset_ms) =>
		run(async () =>
			commitWork(
				transactionOn(session, () => offset_ms),
				work,
			),
		);
	const answer = async (message: M): Promise<void> => {
		const {value, moved = []} = await perform(message, write);
		port.postMessage({value} satisfies FromWriter<A>, [...moved]);
		folding?.later();
	};
	let last: Promise<void> = Promise.resolve();
	port.on('message', (message: ToWriter<M>) => {
		last = last.then(async () => {
			if (message !== 'close') return answer(message as M).catch((error) => port.postMessage(failure(error)));
			folding?.stop();
			await session.close();
			port.close();
		});
	});
	port.postMessage('ready' satisfies FromWriter<A>);
};

import {stat} from 'node:fs/promises';
import {DomainError} from '@signalbox/core';

/** Milliseconds. A look at each write would cost more than the write. */
const between = 1000;

/** Watches whether a path still leads to the file that was opened: what is written to another one is found by nobody again. */
export type FileWatch = Readonly<{
	/** Looks now. @throws service_unavailable unless the file is where it was. */
	look(): Promise<void>;
	/** The work, with what the last look found. @throws service_unavailable when the file was not where it was. */
	guard<A extends readonly unknown[], R>(work: (...args: A) => Promise<R>): (...args: A) => Promise<R>;
	stop(): void;
}>;

const identityOf = async (file: string): Promise<string | undefined> => {
	const found = await stat(file, {bigint: true}).catch(() => undefined);
	return found && `${found.dev}:${found.ino}`;
};

/** @param file As it was opened a moment ago. */
export const watchFile = async (file: string): Promise<FileWatch> => {
	const opened = await identityOf(file);
	let isThere = true;
	const moved = () =>
		new DomainError('service_unavailable', {
			cause: new Error(`${file} was removed or replaced while it was open: stop, put the file back, and start again`),
		});
	const look = async (): Promise<void> => {
		isThere = (await identityOf(file)) === opened;
		if (!isThere) throw moved();
	};
	const timer = setInterval(() => void look().catch(() => undefined), between).unref();
	return {
		look,
		guard:
			(work) =>
			(...args) =>
				isThere ? work(...args) : Promise.reject(moved()),
		stop: () => clearInterval(timer),
	};
};

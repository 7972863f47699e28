import type {Socket} from 'node:net';

/** Does the work of one connection in the order in which it came, and that of several at once. */
export type Turns = (connection: Socket, work: () => Promise<void>) => Promise<void>;

/** RFC 9112, section 9.3.2: requests of one connection are not served in parallel, unless they change nothing. */
export const createTurns = (): Turns => {
	const last = new WeakMap<Socket, Promise<void>>();
	return (connection, work) => {
		const turn = (last.get(connection)?.then(work, work) ?? work()).finally(() => {
			if (last.get(connection) === turn) last.delete(connection);
		});
		last.set(connection, turn);
		return turn;
	};
};

import type {Ports} from '../ports/index.ts';

/** The calls that this process holds for a person, or runs because one approved: others see that somebody is at it. */
export type Attendance = Readonly<{
	/** From when the approval was opened or re-attached. Once is enough. @returns the function that ends it. */
	begin(approval_id: string): () => void;
	/** True between `begin` and its end. */
	includes(approval_id: string): boolean;
}>;

/** How long after a process died its calls count as attended, in seconds. */
export const attendedSeconds = 15;

/** Two of three may be late or fail. */
export const renewEveryMs = 5000;

export const createAttendance = (needs: Pick<Ports, 'attendance' | 'clock'>): Attendance => {
	/** How many calls of this process wait for an approval, by its id. */
	const attended = new Map<string, number>();
	let rest = new AbortController();
	const keepRenewing = async (): Promise<void> => {
		rest = new AbortController();
		const {signal} = rest;
		for (;;) {
			await needs.clock.sleep(renewEveryMs, signal);
			if (signal.aborted) return;
			// What fails is tried again soon; at worst a caller counts as gone that is not, and its decision waits for the poll.
			await needs.attendance.renew([...attended.keys()], attendedSeconds).catch(() => {});
		}
	};
	const end = (approval_id: string) => {
		const left = (attended.get(approval_id) ?? 0) - 1;
		if (left > 0) attended.set(approval_id, left);
		else attended.delete(approval_id);
		if (attended.size === 0) rest.abort();
	};
	return {
		begin: (approval_id) => {
			if (attended.size === 0) void keepRenewing();
			attended.set(approval_id, (attended.get(approval_id) ?? 0) + 1);
			let ended = false;
			return () => {
				if (!ended) end(approval_id);
				ended = true;
			};
		},
		includes: (approval_id) => attended.has(approval_id),
	};
};

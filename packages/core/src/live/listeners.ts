import type {Ports} from '../ports/index.ts';

/** Milliseconds for which a process may go by what it read: after that it takes everybody to be listened to. */
export const knownForMs = 1500;

const refreshEveryMs = 500;

/** To whom somebody listens, over any process, as this one knows it. */
export type Listeners = Readonly<{
	/** True also where it is not known. */
	hears(audience: Readonly<{team_id: string | null; user_id: string | null}>): boolean;
	/** Reads again and again until the signal aborts; tells of each number that is newer. */
	keep(signal: AbortSignal, onNewer: () => void): Promise<void>;
}>;

export const createListeners = ({liveEvents, clock}: Pick<Ports, 'liveEvents' | 'clock'>): Listeners => {
	let known: ReadonlySet<string> = new Set();
	let validUntil = 0;
	let newest = 0;
	const refresh = async (onNewer: () => void): Promise<void> => {
		const begun = performance.now();
		const read = await liveEvents.listeners();
		known = new Set(read.ids);
		// From before the reading: who came to listen meanwhile may not be in it.
		validUntil = begun + knownForMs;
		if (read.newest > newest) onNewer();
		newest = read.newest;
	};
	return {
		hears: ({team_id, user_id}) =>
			(team_id !== null && known.has(team_id)) ||
			(user_id !== null && known.has(user_id)) ||
			performance.now() > validUntil,
		keep: async (signal, onNewer) => {
			while (!signal.aborted) {
				await refresh(onNewer).catch(() => undefined);
				await clock.sleep(refreshEveryMs, signal);
			}
		},
	};
};

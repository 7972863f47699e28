import type {Hosting, Session} from './session.ts';

type Opened = Session & Partial<Hosting>;

/** A session that is opened anew once its thread has ended: what was under way is lost, and what follows is not. */
export type ReopenedSession = Readonly<{
	/** The one to use now. It must not change within a transaction. */
	current(): Promise<Opened>;
	/** The thread of the one to use now, where sessions have threads. */
	thread: Hosting | undefined;
	close(): Promise<void>;
}>;

export const reopenedSession = async (open: () => Promise<Opened>): Promise<ReopenedSession> => {
	let latest = await open();
	let opening: Promise<void> | undefined;
	let isClosed = false;
	const openAnew = async (): Promise<void> => {
		try {
			latest = await open();
		} finally {
			opening = undefined;
		}
	};
	const host: Hosting['host'] = (url, data) => {
		if (!latest.host) throw new Error('this session has no thread');
		return latest.host(url, data);
	};
	const hasEnded = (): boolean => latest.hasEnded?.() ?? false;
	return {
		current: async () => {
			if (hasEnded() && !isClosed) {
				opening ??= openAnew();
				await opening;
			}
			return latest;
		},
		thread: latest.host && {host, hasEnded},
		close: async () => {
			isClosed = true;
			await opening?.catch(() => undefined);
			await latest.close();
		},
	};
};

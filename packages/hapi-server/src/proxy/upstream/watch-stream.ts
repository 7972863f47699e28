import {isStillWelcome} from '../gate/caller.ts';
import type {ProxyContext, Visit} from '../proxy-context.ts';

const lookEveryMs = 5000;

/** Whether the stream would be opened again: its server is there and active, and whoever opened it is let in. */
const mayGoOn = async ({core}: ProxyContext, {server: {id, slug}, caller}: Visit): Promise<boolean> => {
	const now = await core.mcp.servers.bySlug(slug);
	if (now?.id !== id || !now.is_active) return false;
	return isStillWelcome(core.accounts.authentication, caller, now);
};

/** Ends a stream that would not be opened again. While nobody can be asked, it goes on. */
export const watchStream = async (context: ProxyContext, visit: Visit, ended: AbortSignal): Promise<void> => {
	for (;;) {
		await context.ports.clock.sleep(lookEveryMs, ended);
		if (ended.aborted) return;
		if (!(await mayGoOn(context, visit).catch(() => true))) return visit.exchange.leave('closing');
	}
};

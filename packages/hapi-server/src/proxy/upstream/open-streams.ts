import type {ProxySettings} from '../proxy-settings.ts';

/** The streams that are open in this process and may stay so for ever: each holds two connections. */
export type OpenStreams = Readonly<{
	/** Answers the function that counts it out again; undefined when the server, or the process, has as many as it may. */
	enter(mcp_server_id: string): (() => void) | undefined;
}>;

export const createOpenStreams = ({
	max_streams,
	max_streams_per_server,
}: Pick<ProxySettings, 'max_streams' | 'max_streams_per_server'>): OpenStreams => {
	const byServer = new Map<string, number>();
	let all = 0;
	const count = (mcp_server_id: string, change: 1 | -1) => {
		const left = (byServer.get(mcp_server_id) ?? 0) + change;
		if (left === 0) byServer.delete(mcp_server_id);
		else byServer.set(mcp_server_id, left);
		all += change;
	};
	return {
		enter: (mcp_server_id) => {
			if (all >= max_streams || (byServer.get(mcp_server_id) ?? 0) >= max_streams_per_server) return undefined;
			count(mcp_server_id, 1);
			return () => count(mcp_server_id, -1);
		},
	};
};

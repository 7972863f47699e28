import {setTimeout as pause} from 'node:timers/promises';
import {type Api, createApi, registerPerson} from '../support/api.ts';
import {startTestServer} from '../support/server.ts';

/** So often that a decision comes within 50 ms of its question. */
const approveEveryMs = 10;

const approvePending = async (api: Api): Promise<number> => {
	const {data} = (await api.get('/v1/mcp/approvals?status=pending')).body;
	for (const {id} of data) {
		const {status, text} = await api.post(`/v1/mcp/approvals/${id}/approve`);
		if (status !== 200 && status !== 409) throw new Error(`approve answered ${status}: ${text}`);
	}
	return data.length;
};

/** Somebody who approves everything at once. Ending answers how often they were asked. */
const startApprover = (api: Api) => {
	const ending = new AbortController();
	const approve = async (): Promise<number> => {
		let asked = 0;
		while (!ending.signal.aborted) {
			asked += await approvePending(api);
			await pause(approveEveryMs);
		}
		return asked;
	};
	const approving = approve();
	return async (): Promise<number> => {
		ending.abort();
		return await approving;
	};
};

/** A whole server with one upstream behind its proxy; with approvals on, every tool call waits for the approver. */
export const startProxied = async (target_url: string, approvals: 'off' | 'on') => {
	const server = await startTestServer();
	const {api} = await registerPerson(createApi(server.baseUrl));
	const approval_config = {enabled: approvals === 'on', trust_level: 'strict', ttl_seconds: 60};
	const {body, status, text} = await api.post('/v1/mcp/servers', {name: 'upstream', target_url, approval_config});
	if (status !== 201) throw new Error(`registering answered ${status}: ${text}`);
	const endApprover = startApprover(api);
	return {
		url: `${server.proxyUrl}/p/${body.slug}`,
		/** Answers how many approvals were asked for. */
		close: async (): Promise<number> => {
			try {
				return await endApprover();
			} finally {
				await server.close();
			}
		},
	};
};

import test from 'ava';
import {bearer, createApi, registerPerson} from '../support/api.ts';
import {startJsonRpcUpstream, toolCall} from '../support/json-rpc-upstream.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer} from '../support/server.ts';

test('[PRX-102] what is decided over one process is released, or blocked, in another one on the same database', async (t) => {
	const deciding = await startTestServer();
	t.teardown(deciding.close);
	const holding = await startTestServer({env: {DATA_DIR: deciding.dataDir}});
	t.teardown(holding.close);
	const upstream = await startJsonRpcUpstream();
	t.teardown(upstream.close);
	const {api, access_token} = await registerPerson(createApi(deciding.baseUrl));
	const approval_config = {enabled: true, trust_level: 'strict'};
	const {slug} = (await api.post('/v1/mcp/servers', {name: 'tools', target_url: upstream.url, approval_config})).body;
	const other = createApi(holding.baseUrl, bearer(access_token));
	for (const decision of ['approve', 'reject']) {
		const answering = other.post(`/p/${slug}`, toolCall('delete_item'), {accept: 'application/json'});
		const approval = await until(async () => (await api.get('/v1/mcp/approvals')).body.data[0], 'the approval');
		t.is((await api.post(`/v1/mcp/approvals/${approval.id}/${decision}`, {})).status, 200);
		t.is((await answering).body.result.isError === true, decision === 'reject');
		t.is((await other.get(`/v1/mcp/approvals/${approval.id}`)).body.status, `${decision.replace(/e$/, '')}ed`);
	}
	t.is(upstream.received.length, 1);
});

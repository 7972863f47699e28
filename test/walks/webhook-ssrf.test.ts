import test from 'ava';
import {assertNoneReached} from '../scenarios/outbound/none-reached.ts';
import {createApi, registerPerson} from '../support/api.ts';
import {until} from '../support/mcp/until.ts';
import {startTestServer} from '../support/server.ts';

test('[WHK-063 WHK-077 WHK-078] no destination leads to a private address, however it is written or answered', async (t) => {
	const server = await startTestServer({env: {SIGNALBOX_ALLOWED_PRIVATE_CIDRS: '172.31.0.77'}});
	t.teardown(() => server.close());
	const {api} = await registerPerson(createApi(server.baseUrl));
	const isAttempted = async (id: string): Promise<boolean> =>
		(await api.get(`/v1/webhook/events/${id}`)).body.delivery_status !== 'pending';
	let attempted = 0;
	await assertNoneReached(t, async (destination_url, times) => {
		const fields = {name: 'Inside', destination_url, retry_config: {max_retries: 0, intervals: [1]}};
		const made = await api.post('/v1/webhook/endpoints', fields);
		// What is refused when it is written is attempted never.
		if (made.status === 400) return;
		for (let sent = 0; sent < times; sent += 1) {
			const accepted = await fetch(`${server.baseUrl}/wh/${made.body.slug}`, {method: 'POST'});
			const {event_id} = (await accepted.json()) as {event_id: string};
			await until(() => isAttempted(event_id), `the attempt to ${destination_url}`);
			attempted += 1;
		}
	});
	t.true(attempted >= 150, `${attempted} were attempted`);
});

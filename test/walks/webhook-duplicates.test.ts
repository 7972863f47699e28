import test from 'ava';
import {openDestination, openWebhooks} from '../support/webhooks.ts';

const times = 1000;

test('[MID-060 MID-063 WHK-040] of a thousand equal webhooks at once one is delivered, and the others are kept as duplicates; all are accepted', async (t) => {
	const {api, addEndpoint, addStep, send, eventWhen} = await openWebhooks(t);
	const destination = await openDestination(t);
	const endpoint = await addEndpoint({destination_url: destination.url});
	await addStep(endpoint, 'deduplicate', {key: 'body.order', ttl: 3600});
	const told = await Promise.all(Array.from({length: times}, () => send(endpoint.url)));
	t.is(new Set(told.map(({event_id}) => event_id)).size, times);
	const [passed, ...others] = told.filter(({status}) => status !== 'duplicate');
	t.deepEqual(others, []);
	t.is(passed?.status, 'pending');
	await eventWhen(passed?.event_id ?? '', 'delivered');
	const countOf = async (status: string) => (await api.get(`/v1/webhook/events?status=${status}&limit=1`)).body.total;
	t.is(await countOf('duplicate'), times - 1);
	t.is(await countOf('delivered'), 1);
	t.is(destination.received.length, 1);
});

import test from 'ava';
import {compareWire, openWireBench, type WireBench} from '../scenarios/proxy/compare-wire.ts';
import {callsIn, loggedCalls} from '../scenarios/proxy/logged-calls.ts';
import {wireCases} from '../scenarios/proxy/wire-cases.ts';
import {answerDifferences, ownAnswers, requestDifferences} from '../scenarios/proxy/wire-differences.ts';
import {startTestServer, type TestServer} from '../support/server.ts';

let server: TestServer;
let bench: WireBench;
test.before(async () => {
	server = await startTestServer();
	bench = await openWireBench(server);
});
test.after.always(async () => await server.close());

/** Which requirements the cases of a group show. */
const citations: Readonly<Record<string, string>> = {
	initialize: '[PRX-007] ',
	sessions: '[PRX-008 PRX-009 PRX-010] ',
	'lost sessions': '[PRX-017] ',
	'ends of sessions': '[PRX-010] ',
	'stateless era': '[PRX-012 PRX-013] ',
	'input_required rounds': '[PRX-014] ',
	answers: '[PRX-015 PRX-016 PRX-019] ',
	'no stream of GET': '[PRX-018] ',
	events: '[PRX-020 PRX-022 PRX-024] ',
	'no compression': '[PRX-023] ',
	'requests of the server': '[PRX-009 PRX-022] ',
	resuming: '[PRX-011] ',
	'request fields': '[PRX-025 PRX-028 PRX-033] ',
	forward_headers: '[PRX-117] ',
	credentials: '[PRX-027 PRX-029 PRX-030] ',
	'paths and bodies': '[PRX-006 PRX-049] ',
	connections: '',
	'fields of one connection': '[PRX-031 PRX-032] ',
	CORS: '[PRX-035 PRX-036] ',
	'methods and bodies of our own judgement': '',
};

for (const [group, ids] of Object.entries(citations)) {
	test(`${ids}${group}: through the proxy as direct, but for what differs by design`, async (t) => {
		for (const each of wireCases.filter((one) => one.group === group)) {
			const {got, expected} = compareWire(await bench.run(each), each);
			t.deepEqual(got, expected, each.name);
		}
	});
}

test('there are at least 60 cases, each of a group that is run', (t) => {
	t.true(wireCases.length >= 60);
	t.deepEqual(
		wireCases.filter(({group}) => citations[group] === undefined),
		[],
	);
});

test('every difference by design is met by a case, and there is no other', async (t) => {
	const met = new Set<string>();
	for (const each of wireCases) for (const name of compareWire(await bench.run(each), each).met) met.add(name);
	const named = [...answerDifferences, ...requestDifferences].map(({name}) => name);
	t.deepEqual([...met].sort(), [...named, ...Object.keys(ownAnswers)].sort());
});

test('[PRX-002 PRX-110] the log has every call with both bodies, and no notification and no response', async (t) => {
	for (const each of wireCases.filter(({exchanges}) => exchanges.every(({own}) => own === undefined))) {
		const {proxied, server_id} = await bench.run(each);
		t.deepEqual(await loggedCalls(bench.api, server_id), callsIn(proxied), each.name);
	}
});

import test from 'ava';
import {assertNoneReached} from '../scenarios/outbound/none-reached.ts';
import {openLoneProxy} from '../scenarios/proxy/lone-proxy.ts';
import {sendBytes} from '../scenarios/proxy/send-bytes.ts';

const body = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}');
const headers = [['Content-Type', 'application/json']] as const;

test('[PRX-109] no target_url leads the proxy to a private address, however it is written or answered', async (t) => {
	const proxy = await openLoneProxy(t, {connect_timeout_ms: 1_000});
	await assertNoneReached(t, async (target_url, times) => {
		const path = await proxy.addServer({target_url});
		for (let sent = 0; sent < times; sent += 1) await sendBytes(proxy.port, {method: 'POST', path, headers, body});
	});
});

import {type AddressInfo, connect, createServer} from 'node:net';

/** Passes bytes on to a port of loopback and back, and does nothing else: what any process in between costs. */
const port = Number(process.argv[2]);
const relay = createServer({noDelay: true}, (client) => {
	const upstream = connect({port, host: '127.0.0.1', noDelay: true});
	for (const socket of [client, upstream]) socket.on('error', () => {});
	client.pipe(upstream).pipe(client);
});
relay.listen(0, '127.0.0.1', () => console.log(JSON.stringify({port: (relay.address() as AddressInfo).port})));
process.once('SIGTERM', () => process.exit());

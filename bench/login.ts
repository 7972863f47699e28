/**
 * Two figures about signing in, printed and never asserted by a timed test:
 * - how far apart the medians of a login with a known and with an unknown address are, over 2 x 300 interleaved tries;
 * - the p99 of GET /v1/mcp/servers while rounds of 200 parallel logins flood the server.
 */
import {quantile} from './quantile.ts';
import {startServerProcess} from './server-process.ts';

const tries = 300;
const floodRounds = 10;
const floodSize = 200;

const post = async (url: string, body: object): Promise<Response> =>
	fetch(url, {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body)});

const timed = async (work: () => Promise<Response>): Promise<number> => {
	const begun = performance.now();
	await (await work()).arrayBuffer();
	return performance.now() - begun;
};

const compareLogins = async (baseUrl: string, email: string): Promise<void> => {
	const login = async (address: string) =>
		timed(async () => post(`${baseUrl}/v1/auth/login`, {email: address, password: 'not the password'}));
	const known: number[] = [];
	const unknown: number[] = [];
	for (let index = 0; index < tries; index += 1) {
		const pair = [async () => known.push(await login(email)), async () => unknown.push(await login('no@example.com'))];
		for (const one of index % 2 === 0 ? pair : pair.reverse()) await one();
	}
	const [a, b] = [quantile(known, 0.5), quantile(unknown, 0.5)];
	console.log(`login, median of ${tries}: known address ${a.toFixed(1)} ms, unknown ${b.toFixed(1)} ms`);
	console.log(`difference: ${((Math.abs(a - b) / Math.max(a, b)) * 100).toFixed(2)} %`);
};

const flood = async (baseUrl: string, email: string, accessToken: string): Promise<void> => {
	const read = async () =>
		timed(async () => fetch(`${baseUrl}/v1/mcp/servers`, {headers: {authorization: `Bearer ${accessToken}`}}));
	const quiet: number[] = [];
	for (let index = 0; index < tries; index += 1) quiet.push(await read());
	const flooded: number[] = [];
	const statuses = new Map<number, number>();
	for (let round = 0; round < floodRounds; round += 1) {
		let running = floodSize;
		const logins = Array.from({length: floodSize}, async () => {
			const {status} = await post(`${baseUrl}/v1/auth/login`, {email, password: 'not the password'});
			statuses.set(status, (statuses.get(status) ?? 0) + 1);
			running -= 1;
		});
		while (running > 0) flooded.push(await read());
		await Promise.all(logins);
	}
	const show = (values: number[]) =>
		[0.5, 0.99, 1].map((share) => `p${share * 100} ${quantile(values, share).toFixed(1)} ms`).join(', ');
	console.log(`GET /v1/mcp/servers, quiet (${quiet.length}): ${show(quiet)}`);
	console.log(
		`GET /v1/mcp/servers, ${floodSize} parallel logins x ${floodRounds} (${flooded.length}): ${show(flooded)}`,
	);
	console.log(`logins answered: ${[...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')}`);
};

const server = await startServerProcess();
try {
	const account = {email: 'bench@example.com', password: 'a long password'};
	const {access_token} = await (await post(`${server.baseUrl}/v1/auth/register`, account)).json();
	await compareLogins(server.baseUrl, account.email);
	await flood(server.baseUrl, account.email, access_token);
} finally {
	await server.stop();
}

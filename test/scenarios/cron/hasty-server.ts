import {createInterface} from 'node:readline';
import {startTestServer} from '../../support/server.ts';

/**
 * A server in a process of its own whose clocks run fast. Arguments: its folder, how many times as fast as the machine's,
 * from which moment on, and how many milliseconds its own clock is ahead of the database's. It ends when its standard input does, as it does when the process dies that started it.
 */
const [directory = '', ...numbers] = process.argv.slice(2);
const [times = 1, since = 0, skew = 0] = numbers.map(Number);
const server = await startTestServer({
	env: {DATA_DIR: directory, LOG_LEVEL: 'error'},
	speed: {times, since},
	skew,
	sweepEvery: Math.max(10, 1000 / times),
});
console.log(JSON.stringify({base_url: server.baseUrl}));
for await (const _ of createInterface({input: process.stdin}));
await server.close();
for (const line of server.logs()) process.stderr.write(line);

import {testChecker} from './checked.ts';
import {
	findEnvironmentReaders,
	findHiddenPorts,
	findIdleTests,
	findImpureRules,
	findNodeGlobals,
	findStarExports,
	findVagueNames,
} from './conventions.ts';

const rules = 'packages/core/src/mcp/rules/a.ts';
const server = 'packages/hapi-server/src/config.ts';

testChecker('doors name what they export', findStarExports, {
	breaks: [
		['packages/core/src/index.ts', "export * from './errors.ts';"],
		['packages/core/src/index.ts', "export type * from './errors.ts';"],
		['packages/core/src/index.ts', "export * as errors from './errors.ts';"],
	],
	obeys: [['packages/core/src/index.ts', "export {DomainError, type ErrorKind} from './errors.ts';"]],
});

testChecker('process.env is read in main.ts', findEnvironmentReaders, {
	breaks: [
		[server, 'const port = process.env.PORT;'],
		[server, "const port = process['env'].PORT;"],
		[server, 'const {env} = process;'],
	],
	obeys: [
		['packages/hapi-server/src/main.ts', 'readConfig(process.env);'],
		[server, 'const port = context.env.PORT; process.exitCode = 1;'],
	],
});

testChecker('rules are pure', findImpureRules, {
	breaks: [
		[rules, 'const now = Date.now();'],
		[rules, 'const now = new Date();'],
		[rules, 'const now = new Date;'],
		[rules, 'const now = Date();'],
		[rules, 'const clock = Date.now;'],
		[rules, 'const chance = Math.random();'],
		[rules, 'const id = crypto.randomUUID();'],
		[rules, 'const read = async () => await load();'],
		[rules, 'const read = (): Promise<void> => load();'],
	],
	obeys: [
		[rules, 'const day = new Date(now).getUTCDay(); const at = Date.parse(now);'],
		['packages/core/src/node/clock.ts', 'const now = Date.now();'],
	],
});

testChecker('the core knows no Node', findNodeGlobals, {
	breaks: [
		['packages/core/src/mcp/a.ts', 'const size = Buffer.byteLength(text);'],
		['packages/core/src/mcp/a.ts', 'process.nextTick(run);'],
		['packages/core/src/memory/a.ts', 'setImmediate(run);'],
	],
	obeys: [
		['packages/core/src/mcp/a.ts', 'const job = {process: 1}; job.process; type T = {Buffer: string};'],
		['packages/core/src/node/a.ts', 'const text = Buffer.from(bytes);'],
	],
});

testChecker('files are named after what they do', findVagueNames, {
	breaks: [
		['packages/core/src/mcp/utils.ts', ''],
		['packages/core/src/helpers/glob.ts', ''],
		['test/support/test-helper.ts', ''],
		['packages/core/src/common.ts', ''],
		['packages/hapi-server/src/session-manager.ts', ''],
		['packages/hapi-server/src/mcp/index.ts', ''],
		['examples/a/index.ts', ''],
	],
	obeys: [
		['packages/core/src/index.ts', ''],
		['packages/core/src/ports/index.ts', ''],
		['packages/core/src/mcp/commonality.ts', ''],
	],
});

const ports = 'packages/core/src/ports/index.ts';

testChecker('embedders can name every port', findHiddenPorts, {
	breaks: [
		[ports, "export type {UserStore} from './accounts.ts';"],
		[ports, 'export type Ports = Readonly<{}>;'],
		[ports, "import type {Signatures} from '../values/signatures.ts';"],
	],
	obeys: [
		[ports, "import type {A} from './a.ts'; export type {A, B} from './a.ts'; export type Ports = A & B;"],
		['packages/core/src/index.ts', "export type {A, B, Ports} from './ports/index.ts'; export {c} from './c.ts';"],
		['packages/core/src/memory/index.ts', "export type {D} from './d.ts';"],
	],
});

testChecker('every test runs', findIdleTests, {
	breaks: [
		['test/a.test.ts', "test.only('a', (t) => t.pass());"],
		['test/a.test.ts', "test.serial.skip('a', (t) => t.pass());"],
		['packages/core/test/a.test.ts', "test.failing('a', (t) => t.fail());"],
		['packages/core/test/a.test.ts', "test.todo('a');"],
	],
	obeys: [['test/a.test.ts', "test.serial('a', (t) => t.pass()); page.skip(3);"]],
});

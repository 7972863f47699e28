import test from 'ava';
import {testChecker} from './checked.ts';
import {findLayerViolations} from './core-layers.ts';
import {findCycles} from './cycles.ts';
import {importsOf} from './imports.ts';
import {findBoundaryViolations} from './package-boundaries.ts';
import {readSources, source} from './sources.ts';

const core = 'packages/core/src';

test('imports are read in every form they can take', (t) => {
	const text = [
		"import a, {type B} from './a.ts';",
		"import type {C} from './c.ts';",
		"import {type D} from './d.ts';",
		"export {e} from './e.ts';",
		"const f = await import('./f.ts');",
		"type G = import('./g.ts').G;",
		"import 'node:fs';",
		"// import './not.ts'",
		'const no = "import \'./neither.ts\'";',
	].join('\n');
	t.deepEqual(
		importsOf(source('x/y/z.ts', text)).map(({target, typeOnly}) => [target, typeOnly]),
		[
			['x/y/a.ts', false],
			['x/y/c.ts', true],
			['x/y/d.ts', true],
			['x/y/e.ts', false],
			['x/y/f.ts', false],
			['x/y/g.ts', true],
			['node:fs', false],
		],
	);
});

test('the checks see the whole repository', (t) => {
	const paths = readSources().map(({path}) => path);
	for (const part of ['packages/core/src/', 'packages/hapi-server/src/', 'packages/core/test/', 'test/', 'scripts/'])
		t.true(paths.filter((path) => path.startsWith(part)).length > 3, part);
	t.true(paths.length > 300);
	t.false(paths.some((path) => path.includes('node_modules') || path.includes('/generated/')));
});

testChecker('layers of the core', findLayerViolations, {
	breaks: [
		[`${core}/values/a.ts`, "import type {User} from '../accounts/model/user.ts';"],
		[`${core}/values/a.ts`, "import {createHash} from 'node:crypto';"],
		[`${core}/mcp/model/a.ts`, "import {decide} from '../rules/decide.ts';"],
		[`${core}/mcp/rules/a.ts`, "import type {Clock} from '../../ports/index.ts';"],
		[`${core}/mcp/rules/a.ts`, "import {DomainError} from '../../errors.ts';"],
		[`${core}/mcp/a.ts`, "import {createUsers} from '../accounts/users.ts';"],
		[`${core}/mcp/a.ts`, "import {planOf} from '../accounts/rules/plan-of.ts';"],
		[`${core}/mcp/a.ts`, "import {createMemoryStores} from '../memory/index.ts';"],
		[`${core}/mcp/a.ts`, "import {request} from 'undici';"],
		[`${core}/mcp/a.ts`, "const {createServer} = await import('node:http');"],
		[`${core}/ports/a.ts`, "import type {Approvals} from '../mcp/approvals.ts';"],
		[`${core}/memory/a.ts`, "import {createApprovals} from '../mcp/approvals.ts';"],
		[`${core}/memory/a.ts`, "import {randomUUID} from 'crypto';"],
		[`${core}/testing/a.ts`, "import {Sequelize} from 'sequelize';"],
		[`${core}/mcp/a.ts`, "import {x} from '../../test/x.ts';"],
	],
	obeys: [
		[`${core}/values/a.ts`, "import {z} from 'zod'; import {b} from './b.ts';"],
		[
			`${core}/mcp/rules/a.ts`,
			"import type {Server} from '../model/server.ts'; import {glob} from '../../values/glob.ts';",
		],
		[
			`${core}/mcp/a.ts`,
			"import type {Users} from '../accounts/users.ts'; import type {Ports} from '../ports/index.ts';",
		],
		[`${core}/node/a.ts`, "import {createHash} from 'node:crypto'; import {SignJWT} from 'jose';"],
		[`${core}/testing/a.ts`, "import {createCore} from '../create-core.ts';"],
	],
});

testChecker('boundaries of packages', findBoundaryViolations, {
	breaks: [
		['packages/core/src/a.ts', "import {openDatabase} from '@signalbox/adapters-sql';"],
		['packages/adapters-sql/src/a.ts', "import {routes} from '@signalbox/hapi-server';"],
		['packages/adapters-sql/src/a.ts', "import {Agent} from 'undici';"],
		['packages/adapters-sql/src/a.ts', "import {createServer} from 'node:http';"],
		['packages/client-sdk/src/a.ts', "import type {User} from '@signalbox/core';"],
		['packages/client-sdk/src/a.ts', "import ky from 'ky';"],
		['packages/cli/src/a.ts', "import {DomainError} from '@signalbox/core';"],
		['packages/cli/src/a.ts', "import {compose} from '@signalbox/hapi-server';"],
		['packages/hapi-server/src/a.ts', "import {createCommandRunner} from '@signalbox/cli';"],
		['packages/dashboard/src/a.tsx', "import type {Caller} from '@signalbox/core';"],
		['packages/dashboard/src/a.tsx', "import {runCommand} from '@signalbox/cli';"],
		['packages/hapi-server/src/routes.ts', "import {openDatabase} from '@signalbox/adapters-sql';"],
		['packages/hapi-server/src/routes.ts', "import {serveGrpc} from '@signalbox/rpc';"],
		['packages/rpc/src/a.ts', "import {DomainError} from '@signalbox/core';"],
		['packages/rpc/src/a.ts', "import type {Database} from '@signalbox/adapters-sql';"],
		['packages/adapters-sql/src/a.ts', "import type {AgentPeer} from '@signalbox/rpc';"],
		['packages/cli/src/a.ts', "import type {Caller} from '@signalbox/core';"],
		['packages/hapi-server/src/routes.ts', "import {buildUser} from '@signalbox/core/testing';"],
		['packages/hapi-server/src/a.ts', "import {buildUser} from '../test/build-user.ts';"],
		['packages/hapi-server/src/a.ts', "import {x} from '../../core/src/errors.ts';"],
		['test/walks/a.test.ts', "import {x} from '../../packages/core/src/errors.ts';"],
		['test/walks/a.test.ts', "import {x} from '@signalbox/core/src/errors.ts';"],
		['examples/a/main.ts', "import {x} from '../../packages/core/src/index.ts';"],
		['packages/core/test/a.test.ts', "import {x} from '../../hapi-server/src/index.ts';"],
	],
	obeys: [
		['packages/hapi-server/src/compose.ts', "import {openDatabase} from '@signalbox/adapters-sql';"],
		['packages/hapi-server/src/compose.ts', "import {serveGrpc} from '@signalbox/rpc';"],
		['packages/hapi-server/src/grpc/a.ts', "import {RpcError} from '@signalbox/rpc';"],
		['packages/rpc/src/a.ts', "import type {Caller} from '@signalbox/core';"],
		['packages/cli/src/a.ts', "import {connectGrpc} from '@signalbox/rpc';"],
		['packages/dashboard/src/a.tsx', "import {SignalboxClient} from '@signalbox/client-sdk';"],
		[
			'packages/hapi-server/test/a.test.ts',
			"import {x} from '../src/a.ts'; import {y} from '../../../test/support/y.ts';",
		],
		['test/walks/a.test.ts', "import {createManualClock} from '@signalbox/core/testing';"],
		['examples/a/main.ts', "import {createCore} from '@signalbox/core'; import {join} from 'node:path';"],
	],
});

testChecker('no cycles', findCycles, {
	breaks: [['a.ts', "import type {A} from './a.ts';"]],
	obeys: [
		['a.ts', "import './b.ts'; import './c.ts';"],
		['b.ts', "import './c.ts';"],
		['c.ts', ''],
	],
});

test('a cycle over several files is told by its whole way', (t) => {
	const files = [
		source('x/a.ts', "import './b.ts';"),
		source('x/b.ts', "export {c} from '../y/c.ts';"),
		source('y/c.ts', "type A = import('../x/a.ts').A;"),
	];
	t.deepEqual(findCycles(files), ['x/a.ts -> x/b.ts -> y/c.ts -> x/a.ts']);
});

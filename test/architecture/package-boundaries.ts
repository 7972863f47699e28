import {type Import, importsOf} from './imports.ts';
import type {Checker} from './sources.ts';

/** The parts of the repository that have a boundary; root tests and scripts share one. */
type Part =
	| 'core'
	| 'rpc'
	| 'adapters-redis'
	| 'adapters-sql'
	| 'hapi-server'
	| 'client-sdk'
	| 'cli'
	| 'dashboard'
	| 'examples'
	| 'root';

const parts: readonly Part[] = [
	'core',
	'rpc',
	'adapters-redis',
	'adapters-sql',
	'hapi-server',
	'client-sdk',
	'cli',
	'dashboard',
];

const partOf = (path: string): Part => {
	if (path.startsWith('examples/')) return 'examples';
	return parts.find((part) => path.startsWith(`packages/${part}/`)) ?? 'root';
};

/** What users of a package can name; the manifests say the same, and Node enforces it. */
const doors: Readonly<Record<string, Part>> = {
	'@signalbox/core': 'core',
	'@signalbox/core/memory': 'core',
	'@signalbox/core/node': 'core',
	'@signalbox/core/testing': 'core',
	'@signalbox/rpc': 'rpc',
	'@signalbox/adapters-redis': 'adapters-redis',
	'@signalbox/adapters-sql': 'adapters-sql',
	'@signalbox/hapi-server': 'hapi-server',
	'@signalbox/client-sdk': 'client-sdk',
	'@signalbox/cli': 'cli',
	'@signalbox/dashboard/package.json': 'dashboard',
};

/** Which doors the source of a package may open. Tests and examples may open any. */
const mayOpen: Readonly<Partial<Record<Part, readonly Part[]>>> = {
	core: [],
	rpc: ['core'],
	'adapters-redis': ['core'],
	'adapters-sql': ['core'],
	'hapi-server': ['core', 'adapters-redis', 'adapters-sql', 'rpc', 'dashboard'],
	'client-sdk': [],
	cli: ['client-sdk', 'rpc'],
	dashboard: ['client-sdk'],
};

const isSource = (path: string): boolean => /^packages\/[^/]+\/src\//.test(path);

const isPackageTest = (path: string): boolean => /^packages\/[^/]+\/test\//.test(path);

const composeFile = 'packages/hapi-server/src/compose.ts';
/** Choose between adapters. */
const composition = [composeFile, 'packages/hapi-server/src/shared-ports.ts'];
const grpcFolder = 'packages/hapi-server/src/grpc/';
const forTests = ['@signalbox/core/testing', '@signalbox/core/memory'];
const http = /^(node:)?(https?|http2|net|tls)$|^undici$|^@hapi\//;

const doorProblem = ({from, target: door, typeOnly}: Import): string | undefined => {
	const opened = doors[door];
	if (!opened) return 'it is no package door';
	if (!isSource(from)) return undefined;
	if (!(mayOpen[partOf(from)] ?? []).includes(opened)) return `${partOf(from)} must not depend on ${opened}`;
	if (partOf(from) === 'rpc' && !typeOnly) return 'the wire takes types only';
	if (partOf(from) === 'hapi-server' && opened === 'rpc' && from !== composeFile && !from.startsWith(grpcFolder))
		return 'only compose.ts and grpc/ know the wire';
	if (opened.startsWith('adapters-') && !composition.includes(from))
		return 'only compose.ts and shared-ports.ts know adapters';
	return forTests.includes(door) && !composition.includes(from) ? 'it is for tests and embedders' : undefined;
};

const packageProblem = (each: Import): string | undefined => {
	const {from, target: specifier} = each;
	if (specifier.startsWith('@signalbox/')) return doorProblem(each);
	if (!isSource(from)) return undefined;
	if (partOf(from) === 'adapters-sql' && http.test(specifier)) return 'storage knows nothing of HTTP';
	return partOf(from) === 'client-sdk' ? 'the client has no dependency' : undefined;
};

const relativeProblem = (from: string, target: string): string | undefined => {
	if (isPackageTest(from) && target.startsWith('test/support/')) return undefined;
	if (partOf(from) !== partOf(target)) return 'other parts are named by their door';
	if (isSource(from) && !isSource(target)) return 'a package is its src folder';
	return undefined;
};

const problemOf = (each: Import): string | undefined =>
	each.relative ? relativeProblem(each.from, each.target) : packageProblem(each);

/** Who may depend on whom among packages, examples, tests and scripts, and that all of them only use doors. */
export const findBoundaryViolations: Checker = (sources) =>
	sources.flatMap(importsOf).flatMap((each) => {
		const problem = problemOf(each);
		return problem === undefined ? [] : [`${each.from} must not import ${each.target}: ${problem}`];
	});

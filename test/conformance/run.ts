/**
 * `npm run conformance`: the official conformance suites against upstreams, straight and through the proxy, with approvals
 * off and on. Prints what both sides say and every check about which they differ. Ends with 1 when a difference is not
 * allowed by allowed-differences.json. An argument runs only the suites and upstreams whose name contains it.
 */
import {readFile} from 'node:fs/promises';
import {startEverythingServer} from '../support/mcp/everything-server.ts';
import {
	type AllowedDifference,
	allowanceFor,
	compareRuns,
	countStatuses,
	type Difference,
	type Run,
	type Setting,
} from './compare.ts';
import {startFixtureServer} from './fixture-server.ts';
import {startProxied} from './proxied-upstream.ts';
import {installSuites, runSuite, type Suite, suites} from './suites.ts';

const upstreams = [
	{name: 'fixture', start: startFixtureServer},
	{name: 'server-everything', start: startEverythingServer},
];

const allowedFile = new URL('./allowed-differences.json', import.meta.url);
const allowed: readonly AllowedDifference[] = JSON.parse(await readFile(allowedFile, 'utf8'));
const used = new Set<AllowedDifference>();

const runProxied = async (suite: Suite, url: string, approvals: Setting['approvals']): Promise<Run> => {
	const proxied = await startProxied(url, approvals);
	let asked = 0;
	const run = await runSuite(suite, proxied.url).finally(async () => {
		asked = await proxied.close();
	});
	if (approvals === 'on') console.log(`    ${asked} calls waited for an approval`);
	return run;
};

/** Prints a difference. Answers whether it may be. */
const judge = (setting: Setting, difference: Difference): boolean => {
	const allowance = allowanceFor(setting, difference, allowed);
	if (allowance) used.add(allowance);
	const {scenario, check, direct, proxied, message} = difference;
	console.log(`    ${allowance ? 'allowed' : 'DIFFERS'} ${scenario} / ${check}: direct ${direct}, proxied ${proxied}`);
	console.log(`      ${allowance?.reason ?? message}`);
	return allowance !== undefined;
};

/** Answers how many differences may not be. */
const compareSuite = async (suite: Suite, {upstream, url}: {upstream: string; url: string}): Promise<number> => {
	console.log(`\n${suite.name}, ${upstream}`);
	const direct = await runSuite(suite, url);
	console.log(`  direct:                 ${countStatuses(direct)}`);
	let refused = 0;
	for (const approvals of ['off', 'on'] as const) {
		const proxied = await runProxied(suite, url, approvals);
		console.log(`  proxied, approvals ${approvals}: ${approvals === 'on' ? ' ' : ''}${countStatuses(proxied)}`);
		const differences = compareRuns(direct, proxied);
		refused += differences.filter((each) => !judge({upstream, suite: suite.name, approvals}, each)).length;
	}
	return refused;
};

const [wanted = ''] = process.argv.slice(2);
await installSuites();
let refused = 0;
for (const upstream of upstreams) {
	for (const suite of suites.filter(({name}) => `${name}, ${upstream.name}`.includes(wanted))) {
		const {url, close} = await upstream.start();
		refused += await compareSuite(suite, {upstream: upstream.name, url}).finally(close);
	}
}
if (wanted === '')
	for (const {upstream, suite, scenario, check} of allowed.filter((entry) => !used.has(entry)))
		console.log(`\nno longer differs, to be taken off the list: ${suite}, ${upstream}: ${scenario} / ${check}`);
console.log(`\n${refused} differences that are not allowed`);
process.exitCode = refused === 0 ? 0 : 1;

/** What one check of a scenario said. `status` is the suite's own word: SUCCESS, FAILURE, WARNING, INFO or SKIPPED. */
export type Check = Readonly<{id: string; status: string; errorMessage?: string | undefined}>;

/** The checks of each scenario of one run of a suite. */
export type Run = ReadonlyMap<string, readonly Check[]>;

/** A check that said one thing of the upstream and another of the proxy before it. Statuses in the order in which they came. */
export type Difference = Readonly<{scenario: string; check: string; direct: string; proxied: string; message: string}>;

/** A difference that may be, and where. Without `approvals`: whether they are on or off. */
export type AllowedDifference = Readonly<{
	upstream: string;
	suite: string;
	approvals?: 'off' | 'on';
	scenario: string;
	check: string;
	direct: string;
	proxied: string;
	reason: string;
}>;

export type Setting = Readonly<{upstream: string; suite: string; approvals: 'off' | 'on'}>;

const absent = 'absent';

const checksOf = (run: Run, scenario: string): ReadonlyMap<string, readonly Check[]> =>
	Map.groupBy(run.get(scenario) ?? [], ({id}) => id);

const statusesOf = (checks: readonly Check[] = []): string => checks.map(({status}) => status).join(' ') || absent;

const messageOf = (...sides: readonly (readonly Check[] | undefined)[]): string =>
	sides.flatMap((checks) => checks ?? []).find(({errorMessage}) => errorMessage !== undefined)?.errorMessage ?? '';

const compareScenario = (scenario: string, direct: Run, proxied: Run): readonly Difference[] => {
	const [here, there] = [checksOf(direct, scenario), checksOf(proxied, scenario)];
	return [...new Set([...here.keys(), ...there.keys()])].flatMap((check) => {
		const statuses = {direct: statusesOf(here.get(check)), proxied: statusesOf(there.get(check))};
		if (statuses.direct === statuses.proxied) return [];
		return [{scenario, check, ...statuses, message: messageOf(there.get(check), here.get(check))}];
	});
};

/** Every check that did not say the same on both sides; one that only one side has is `absent` on the other. */
export const compareRuns = (direct: Run, proxied: Run): readonly Difference[] =>
	[...new Set([...direct.keys(), ...proxied.keys()])].flatMap((scenario) => compareScenario(scenario, direct, proxied));

/** The entry that allows a difference in a setting: it must name both sides as they are. */
export const allowanceFor = (
	{upstream, suite, approvals}: Setting,
	difference: Difference,
	allowed: readonly AllowedDifference[],
): AllowedDifference | undefined =>
	allowed.find(
		(entry) =>
			entry.upstream === upstream &&
			entry.suite === suite &&
			(entry.approvals ?? approvals) === approvals &&
			entry.scenario === difference.scenario &&
			entry.check === difference.check &&
			entry.direct === difference.direct &&
			entry.proxied === difference.proxied,
	);

/** How often each status was said, as one line: `44 SUCCESS, 1 WARNING`. */
export const countStatuses = (run: Run): string => {
	const byStatus = Map.groupBy([...run.values()].flat(), ({status}) => status);
	const counts = [...byStatus]
		.sort(([a], [b]) => a.localeCompare(b))
		.map(([status, {length}]) => `${length} ${status}`);
	return `${run.size} scenarios: ${counts.join(', ') || 'no checks'}`;
};

import {integrityOf, rowsOf} from '../../support/data-directory.ts';
import {type ChainKind, chainKinds} from './chain-kinds.ts';

/** What is wrong between what was started, what commands did and what the server knows of it. Empty: nothing. */
export type ChainFaults = Readonly<{
	integrity: string;
	/** Executions that were answered with 201 and are not there. */
	lost: readonly string[];
	/** Chain executions, and runs of their steps, that have not ended. */
	stuck: readonly string[];
	/** Attempts whose command was started more than once. */
	repeated: readonly string[];
	/** Starts of what is no attempt at a step. */
	unknown: readonly string[];
	/** Attempts that began before one at an earlier step of their execution had ended. */
	early: readonly string[];
	/** Executions that ended otherwise than their kind does. */
	astray: readonly string[];
	/** Executions of which a step started another number of commands than it should. */
	miscounted: readonly string[];
}>;

export const noChainFaults: ChainFaults = {
	...{integrity: 'ok', lost: [], stuck: [], repeated: [], unknown: []},
	...{early: [], astray: [], miscounted: []},
};

type Attempt = Readonly<{chain: string; step: number; tag: string; isOpen: boolean; began: string; ended: string}>;
type Execution = Readonly<{id: string; kind: ChainKind | undefined; status: string; steps: readonly string[]}>;

const kindsByName = new Map(chainKinds.map((kind) => [kind.name, kind]));

const statusesOf = (steps: unknown): readonly string[] =>
	JSON.parse(String(steps)).map(({status}: Readonly<{status: string}>) => status);

const executionsOf = async (directory: string): Promise<readonly Execution[]> => {
	const rows = await rowsOf(directory, 'SELECT id, chain_name, status, steps FROM cron_chain_executions');
	return rows.map(({id, chain_name, status, steps}) => ({
		...{id: String(id), kind: kindsByName.get(String(chain_name))},
		...{status: String(status), steps: statusesOf(steps)},
	}));
};

const attemptsOf = async (directory: string): Promise<readonly Attempt[]> => {
	const rows = await rowsOf(
		directory,
		`SELECT s.chain_execution_id, s.step_order, e.id, e.attempt, e.status, e.started_at, e.completed_at
			FROM cron_step_runs s JOIN cron_executions e ON e.id = s.execution_id`,
	);
	return rows.map(({chain_execution_id, step_order, id, attempt, status, started_at, completed_at}) => ({
		...{chain: String(chain_execution_id), step: Number(step_order), tag: `${id}.${attempt}`},
		isOpen: status === 'pending' || status === 'running',
		...{began: String(started_at ?? ''), ended: String(completed_at ?? '')},
	}));
};

const isEarly = ({step, began}: Attempt, others: readonly Attempt[]): boolean =>
	began !== '' && others.some((other) => other.step < step && other.ended > began);

const earlyOf = (attempts: readonly Attempt[]): readonly string[] =>
	[...Map.groupBy(attempts, ({chain}) => chain)].flatMap(([chain, its]) =>
		its.filter((each) => isEarly(each, its)).map(({step, tag}) => `${chain} ${step}: ${tag}`),
	);

export type ChainEvidence = Readonly<{
	/** Of a server that does not run. */
	directory: string;
	/** Ids of executions that the server said it has. */
	accepted: readonly string[];
	/** Tags, one for each start of a command. */
	starts: readonly string[];
}>;

export const auditChains = async ({directory, accepted, starts}: ChainEvidence) => {
	const executions = await executionsOf(directory);
	const attempts = await attemptsOf(directory);
	const startsOf = Map.groupBy(starts, (tag) => tag);
	const tags = new Set(attempts.map(({tag}) => tag));
	const begun = Map.groupBy(
		attempts.flatMap(({chain, step, tag}) => (startsOf.get(tag) ?? []).map(() => `${chain} ${step}`)),
		(step) => step,
	);
	const countsOf = ({id, steps}: Execution) => steps.map((_, order) => begun.get(`${id} ${order}`)?.length ?? 0);
	const ids = new Set(executions.map(({id}) => id));
	const told = ({id, kind, status, steps}: Execution) => `${id} (${kind?.name}): ${[status, ...steps].join(' ')}`;
	const faults: ChainFaults = {
		integrity: await integrityOf(directory),
		lost: accepted.filter((id) => !ids.has(id)),
		stuck: [
			...executions.filter(({status}) => status === 'running').map(told),
			...attempts.filter(({isOpen}) => isOpen).map(({chain, step, tag}) => `${chain} ${step}: ${tag}`),
		],
		repeated: [...startsOf].filter(([, lines]) => lines.length > 1).map(([tag]) => tag),
		unknown: [...startsOf.keys()].filter((tag) => !tags.has(tag)),
		early: earlyOf(attempts),
		astray: executions.filter(({kind, status, steps}) => kind?.ends.join() !== [status, ...steps].join()).map(told),
		miscounted: executions
			.filter((execution) => execution.kind?.commands.join() !== countsOf(execution).join())
			.map((execution) => `${told(execution)}: ${countsOf(execution).join()}`),
	};
	return {faults, statuses: executions.map(({status}) => status), commands: starts.length};
};

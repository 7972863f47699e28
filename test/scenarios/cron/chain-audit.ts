import {integrityOf, rowsOf, withDatabase} from '../../support/database-file.ts';
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
	/** Executions that ended otherwise than their kind does. */
	astray: readonly string[];
	/** Executions of which a step started another number of commands than it should. */
	miscounted: readonly string[];
}>;

export const noChainFaults: ChainFaults = {
	...{integrity: 'ok', lost: [], stuck: [], repeated: [], unknown: [], astray: [], miscounted: []},
};

type Attempt = Readonly<{chain: string; step: number; tag: string; isOpen: boolean}>;
type Execution = Readonly<{id: string; kind: ChainKind | undefined; status: string; steps: readonly string[]}>;

const kindsByName = new Map(chainKinds.map((kind) => [kind.name, kind]));

const statusesOf = (steps: unknown): readonly string[] =>
	JSON.parse(String(steps)).map(({status}: Readonly<{status: string}>) => status);

const readAll = (file: string) =>
	withDatabase(file, (database) => ({
		integrity: integrityOf(database),
		executions: rowsOf(database, 'SELECT id, chain_name, status, steps FROM cron_chain_executions').map(
			({id, chain_name, status, steps}): Execution => ({
				...{id: String(id), kind: kindsByName.get(String(chain_name))},
				...{status: String(status), steps: statusesOf(steps)},
			}),
		),
		attempts: rowsOf(
			database,
			`SELECT s.chain_execution_id, s.step_order, e.id, e.attempt, e.status
				FROM cron_step_runs s JOIN cron_executions e ON e.id = s.execution_id`,
		).map(
			({chain_execution_id, step_order, id, attempt, status}): Attempt => ({
				...{chain: String(chain_execution_id), step: Number(step_order), tag: `${id}.${attempt}`},
				isOpen: status === 'pending' || status === 'running',
			}),
		),
	}));

export type ChainEvidence = Readonly<{
	/** The database of a server that does not run. */
	database: string;
	/** Ids of executions that the server said it has. */
	accepted: readonly string[];
	/** Tags, one for each start of a command. */
	starts: readonly string[];
}>;

export const auditChains = ({database, accepted, starts}: ChainEvidence) => {
	const {integrity, executions, attempts} = readAll(database);
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
		integrity,
		lost: accepted.filter((id) => !ids.has(id)),
		stuck: [
			...executions.filter(({status}) => status === 'running').map(told),
			...attempts.filter(({isOpen}) => isOpen).map(({chain, step, tag}) => `${chain} ${step}: ${tag}`),
		],
		repeated: [...startsOf].filter(([, lines]) => lines.length > 1).map(([tag]) => tag),
		unknown: [...startsOf.keys()].filter((tag) => !tags.has(tag)),
		astray: executions.filter(({kind, status, steps}) => kind?.ends.join() !== [status, ...steps].join()).map(told),
		miscounted: executions
			.filter((execution) => execution.kind?.commands.join() !== countsOf(execution).join())
			.map((execution) => `${told(execution)}: ${countsOf(execution).join()}`),
	};
	return {faults, statuses: executions.map(({status}) => status), commands: starts.length};
};

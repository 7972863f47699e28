import {readdirSync, readFileSync} from 'node:fs';
import type {ConditionType} from '../../src/cron/model/chain.ts';
import type {ChainExecutionStatus, StepStatus} from '../../src/cron/model/chain-execution.ts';

/** What the command of a step does, or what befalls it. */
export type Plot =
	| 'succeed'
	| 'succeed_disabled'
	| 'fail'
	| 'time_out'
	| 'hang'
	| 'wait'
	| 'tell_late'
	| 'succeed_late'
	| 'agent_lost'
	| 'agent_offline'
	| 'spawn_error'
	| 'unresolved'
	| 'cancel_run'
	| 'job_deleted'
	| 'job_deleted_meanwhile'
	| 'retry_then_succeed'
	| 'retry_then_fail'
	| 'retry_then_hang'
	| 'retry_then_wait';

export type ScenarioStep = Readonly<{does: Plot; on?: ConditionType; timeout?: number}>;

export type ChainScenario = Readonly<{
	name: string;
	/** The requirements that it shows. */
	ids?: readonly string[];
	/** By `step_order`. */
	steps: readonly ScenarioStep[];
	/** In which step somebody cancels it. */
	cancel?: number | 'before_begin';
	/** What comes once it is over. */
	afterwards?: 'success' | 'failed' | 'time' | 'cancel';
	status: ChainExecutionStatus;
	/** How its steps end. */
	then: readonly StepStatus[];
	/** The errors of its steps. */
	errors?: readonly (string | null)[];
	/** It is walked with a real agent too. */
	end_to_end?: true;
}>;

const folder = new URL('../../../../test/scenarios/chains/', import.meta.url);

export const chainScenarios: readonly ChainScenario[] = readdirSync(folder)
	.filter((name) => name.endsWith('.json'))
	.sort()
	.flatMap((name): ChainScenario[] => JSON.parse(readFileSync(new URL(name, folder), 'utf8')));

import {firstCharacters} from '../../values/first-characters.ts';
import type {AgentReport} from '../model/agent-report.ts';
import type {FinalStatus} from '../model/execution.ts';
import type {AttemptResult} from './execution-ending.ts';

const longestError = 2000;

const because = (text: string, {error}: AgentReport): string =>
	firstCharacters(error === '' ? text : `${text} ${error}`, longestError).replaceAll('\0', '\ufffd');

const judge = (report: AgentReport): Readonly<{status: FinalStatus; error: string | null}> => {
	const {outcome, exit_code, signal} = report;
	switch (outcome) {
		case 'exited':
			return exit_code === 0
				? {status: 'success', error: null}
				: {status: 'failed', error: because(`The command ended with exit code ${exit_code ?? 'unknown'}.`, report)};
		case 'signaled':
			return {status: 'failed', error: because(`The command was ended by ${signal || 'a signal'}.`, report)};
		case 'timed_out':
			return {status: 'timeout', error: because('The command took longer than its timeout.', report)};
		case 'canceled':
			// Whatever a person cancels has ended before its agent hears of it.
			return {status: 'failed', error: because('The agent stopped, and ended the command.', report)};
		case 'spawn_error':
			return {status: 'failed', error: because('The command could not begin.', report)};
		case 'agent_restarted':
			return {status: 'failed', error: 'agent_lost'};
	}
};

/** What a report of an agent means for the execution. */
export const resultOf = (report: AgentReport): AttemptResult => {
	const {outcome, exit_code, duration_ms, truncated} = report;
	return {
		result: {...judge(report), exit_code, duration_ms, truncated},
		never_began: outcome === 'spawn_error' ? outcome : undefined,
	};
};

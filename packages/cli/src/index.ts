export {accountEnvironment} from './agent/account-environment.ts';
export {type AgentNeeds, type HostFacts, runAgent} from './agent/agent.ts';
export {type AgentState, openAgentState} from './agent/agent-state.ts';
export {
	AlreadyStartedError,
	type AttemptKey,
	type AttemptResult,
	type AttemptSpec,
	type Outcome,
	type OutputSink,
	type OutputStream,
	WithdrawnError,
} from './agent/attempt.ts';
export type {OutputLimits} from './agent/capture-output.ts';
export {defaultPolicy, type HostPolicy, readHostPolicy} from './agent/host-policy.ts';
export type {RecoveredAttempt} from './agent/recover-attempts.ts';
export {type RootCheck, refuseRoot} from './agent/refuse-root.ts';
export {
	type Barrier,
	type CommandRunner,
	type CommandRunnerNeeds,
	createCommandRunner,
	type RunningCommand,
} from './agent/run-command.ts';
export {type Clock, systemClock} from './clock.ts';

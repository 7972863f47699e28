import type {CronChainExecution} from '@signalbox/client-sdk';
import {durationInWords} from '../parts/seconds.ts';
import {VisibleText} from '../parts/text-viewer.tsx';
import {type Condition, conditionWords} from './chain-words.ts';
import {RunState} from './run-state.tsx';

type StepRun = CronChainExecution['steps'][number];

/** A step of the graph: of a chain, or of a run of it. */
export type GraphStep = Readonly<{
	step_order: number;
	condition_type: Condition;
	job_name: string;
	cron_job_id: string;
}> &
	Partial<Pick<StepRun, 'status' | 'execution_id' | 'started_at' | 'completed_at' | 'error'>>;

/** The way from one step to the next, with its condition: a solid line on success, a broken one otherwise. */
const Edge = ({condition}: {condition: Condition}) => (
	<div class={`edge ${condition}`}>
		<svg viewBox="0 0 40 12" aria-hidden="true" focusable="false">
			<path class="edge-line" d="M0 6h34" />
			<path class="edge-tip" d="M33 1.5 39 6l-6 4.5z" />
		</svg>
		<span class="small soft">{conditionWords[condition]}</span>
	</div>
);

const stepState = ({status, execution_id}: GraphStep) => {
	if (status === undefined) return undefined;
	return status === 'pending' && !execution_id ? 'waiting' : status;
};

const took = ({started_at, completed_at}: GraphStep): string | undefined =>
	started_at && completed_at ? durationInWords(Date.parse(completed_at) - Date.parse(started_at)) : undefined;

const Node = ({step}: {step: GraphStep}) => {
	const state = stepState(step);
	return (
		<div class={`node ${state ?? ''}`}>
			<span class="small faint number">Step {step.step_order + 1}</span>
			<span class="strong">
				<VisibleText text={step.job_name} />
			</span>
			{state && (
				<span class="row">
					<RunState status={state} />
					{took(step) && <span class="small soft number">{took(step)}</span>}
				</span>
			)}
			{step.error && (
				<span class="small problem-words">
					<VisibleText text={step.error} />
				</span>
			)}
			{step.execution_id ? (
				<a class="small" href={`/cron/runs/${step.execution_id}`}>
					Its run
				</a>
			) : (
				state === undefined && (
					<a class="small" href={`/cron/jobs/${step.cron_job_id}`}>
						The job
					</a>
				)
			)}
		</div>
	);
};

/** The steps of a chain one after the other, each with its condition, and with its state when it runs. */
export const ChainGraph = ({steps}: {steps: readonly GraphStep[]}) => (
	<ol class="graph" aria-label="Steps of the chain">
		{steps.map((step, at) => (
			<li key={step.step_order} class="graph-step">
				{at > 0 && <Edge condition={step.condition_type} />}
				<Node step={step} />
			</li>
		))}
	</ol>
);

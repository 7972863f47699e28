import type {CronExecution} from '@signalbox/client-sdk';
import {durationInWords} from '../parts/seconds.ts';
import {VisibleText} from '../parts/text-viewer.tsx';
import {RelativeTime} from '../parts/time.tsx';
import {causeOf, RunState} from './run-state.tsx';

const Row = ({run}: {run: CronExecution}) => (
	<tr>
		<td>
			<a class="row-link" href={`/cron/runs/${run.id}`}>
				<VisibleText text={run.job_name} />
			</a>
		</td>
		<td data-label="State">
			<RunState status={run.status} />
		</td>
		<td data-label="When">
			<RelativeTime instant={run.started_at ?? run.scheduled_for} />
		</td>
		<td data-label="Took">{run.duration_ms === null ? '–' : durationInWords(run.duration_ms)}</td>
		<td data-label="Exit code">{run.exit_code ?? '–'}</td>
		<td data-label="Started by">
			{causeOf(run.triggered_by)}
			{run.attempt > 1 && `, attempt ${run.attempt}`}
		</td>
	</tr>
);

export const RunsTable = ({runs}: {runs: readonly CronExecution[]}) => (
	<div class="table-frame">
		<table class="table cards">
			<thead>
				<tr>
					<th>Job</th>
					<th>State</th>
					<th>When</th>
					<th>Took</th>
					<th>Exit code</th>
					<th>Started by</th>
				</tr>
			</thead>
			<tbody>
				{runs.map((run) => (
					<Row key={run.id} run={run} />
				))}
			</tbody>
		</table>
	</div>
);

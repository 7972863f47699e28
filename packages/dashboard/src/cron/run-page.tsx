import '../parts/layout.css';
import './cron.css';
import type {CronExecution} from '@signalbox/client-sdk';
import {useRoute} from 'preact-iso';
import {usePolling} from '../live/use-polling.ts';
import {useResource} from '../live/use-resource.ts';
import {Crumb} from '../parts/crumb.tsx';
import {Fact} from '../parts/fact.tsx';
import {Loaded} from '../parts/loaded.tsx';
import {durationInWords} from '../parts/seconds.ts';
import {VisibleText} from '../parts/text-viewer.tsx';
import {RelativeTime} from '../parts/time.tsx';
import {client} from '../session/client.ts';
import {RunActions} from './run-actions.tsx';
import {RunOutput} from './run-output.tsx';
import {causeOf} from './run-state.tsx';

const Facts = ({run}: {run: CronExecution}) => (
	<dl class="facts">
		<Fact name="Started by">
			{causeOf(run.triggered_by)}
			{run.attempt > 1 && `, attempt ${run.attempt}`}
		</Fact>
		{run.started_at !== null && (
			<Fact name="Started">
				<RelativeTime instant={run.started_at} />
			</Fact>
		)}
		{run.duration_ms !== null && <Fact name="Took">{durationInWords(run.duration_ms)}</Fact>}
		{run.exit_code !== null && (
			<Fact name="Exit code">
				<code>{run.exit_code}</code>
			</Fact>
		)}
		{run.error !== null && (
			<Fact name="Error">
				<VisibleText text={run.error} />
			</Fact>
		)}
		{run.missed_count > 0 && <Fact name="Runs that were missed before">{run.missed_count}</Fact>}
	</dl>
);

type ActionsProps = Readonly<{run: CronExecution; onChange: (run: CronExecution) => void}>;

const Actions = ({run, onChange}: ActionsProps) => (
	<RunActions
		run={run}
		cancel={async () => onChange(await client.cron.executions.cancel({path: {id: run.id}}))}
		again={async () => `/cron/runs/${(await client.cron.jobs.run({path: {id: run.job_id}})).id}`}
	>
		<a class="button quiet" href={`/cron/jobs/${run.job_id}`}>
			The job
		</a>
	</RunActions>
);

export default () => {
	const {id = ''} = useRoute().params;
	const resource = useResource(`run/${id}`, () => client.cron.executions.get({path: {id}}), ['cron.execution']);
	const {data, reload, change} = resource;
	usePolling(data !== undefined && data.completed_at === null, reload);
	return (
		<div class="page">
			<div class="page-head">
				<div>
					<Crumb href="/cron/runs" label="Runs" />
					<h1>
						<VisibleText text={data?.job_name ?? 'Run'} />
					</h1>
				</div>
				{data && <Actions run={data} onChange={(next) => change(() => next)} />}
			</div>
			<Loaded resource={resource} label="Loading the run" lines={10}>
				{(run) => (
					<>
						<div class="card">
							<div class="card-body">
								<Facts run={run} />
							</div>
						</div>
						<RunOutput key={run.id} run={run} />
					</>
				)}
			</Loaded>
		</div>
	);
};

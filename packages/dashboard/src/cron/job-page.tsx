import '../parts/layout.css';
import './cron.css';
import type {CronJob} from '@signalbox/client-sdk';
import {useLocation, useRoute} from 'preact-iso';
import {useResource} from '../live/use-resource.ts';
import {Crumb} from '../parts/crumb.tsx';
import {DeleteButton} from '../parts/delete-button.tsx';
import {Empty} from '../parts/empty.tsx';
import {Fact} from '../parts/fact.tsx';
import {Icon} from '../parts/icon.tsx';
import {Loaded} from '../parts/loaded.tsx';
import {Pill} from '../parts/pill.tsx';
import {secondsInWords} from '../parts/seconds.ts';
import {TextViewer, VisibleText} from '../parts/text-viewer.tsx';
import {RelativeTime} from '../parts/time.tsx';
import {showProblem} from '../parts/toasts.tsx';
import {client} from '../session/client.ts';
import {RunsTable} from './runs-table.tsx';
import {useJob} from './use-job.ts';
import {zonedTime} from './zoned-time.ts';

const Facts = ({job}: {job: CronJob}) => (
	<dl class="facts">
		<Fact name="Schedule">
			<VisibleText text={job.schedule} /> <code class="soft">{job.schedule_cron}</code>
		</Fact>
		<Fact name="Time zone">{job.timezone}</Fact>
		<Fact name="Next run">
			{job.next_run_at === null ? (
				'only when somebody starts it'
			) : (
				<>
					{zonedTime(job.next_run_at, job.timezone)} (<RelativeTime instant={job.next_run_at} />)
				</>
			)}
		</Fact>
		<Fact name="Agent">
			<VisibleText text={job.agent_name ?? 'none yet: runs wait for one'} />
		</Fact>
		<Fact name="Ended after">{secondsInWords(job.timeout_seconds)}</Fact>
	</dl>
);

const Runs = ({job}: {job: CronJob}) => {
	const resource = useResource(
		`job-runs/${job.id}`,
		() => client.cron.executions.list({query: {job_id: job.id, limit: 20}}),
		['cron.execution'],
	);
	return (
		<section class="stack tight" aria-label="Runs">
			<h2>Runs</h2>
			<Loaded resource={resource} label="Loading runs">
				{({data}) => (
					<div class="card">
						{data.length === 0 ? (
							<Empty icon="cron" title="It has not run yet">
								<p>Run it now to see what it does: you need not wait for its schedule.</p>
							</Empty>
						) : (
							<RunsTable runs={data} />
						)}
					</div>
				)}
			</Loaded>
		</section>
	);
};

type ActionsProps = Readonly<{job: CronJob; onChange: (job: CronJob) => void}>;

const Actions = ({job, onChange}: ActionsProps) => {
	const {route} = useLocation();
	const path = {id: job.id};
	const {jobs} = client.cron;
	const run = async (): Promise<void> => {
		const {id} = await jobs.run({path});
		route(`/cron/runs/${id}`);
	};
	const toggle = async (): Promise<void> =>
		onChange(await (job.is_enabled ? jobs.disable({path}) : jobs.enable({path})));
	const remove = async (): Promise<void> => {
		await jobs.delete({path});
		route('/cron');
	};
	return (
		<div class="row">
			<button type="button" class="button primary" onClick={() => void run().catch(showProblem)}>
				<Icon name="run" />
				Run now
			</button>
			<button type="button" class="button" onClick={() => void toggle().catch(showProblem)}>
				{job.is_enabled ? 'Pause' : 'Enable'}
			</button>
			<a class="button" href={`/cron/jobs/${job.id}/edit`}>
				Change
			</a>
			<DeleteButton name={job.name} id={job.id} onDelete={remove}>
				<p>Its runs and what they wrote go with it. What runs of it now is ended.</p>
			</DeleteButton>
		</div>
	);
};

export default () => {
	const {id = ''} = useRoute().params;
	const resource = useJob(id);
	const {data, change} = resource;
	return (
		<div class="page">
			<div class="page-head">
				<div>
					<Crumb href="/cron" label="Jobs" />
					<div class="row">
						<h1>
							<VisibleText text={data?.name ?? 'Job'} />
						</h1>
						{data && <Pill tone={data.is_enabled ? 'good' : 'idle'}>{data.is_enabled ? 'Enabled' : 'Paused'}</Pill>}
					</div>
				</div>
				{data && <Actions job={data} onChange={(next) => change(() => next)} />}
			</div>
			<Loaded resource={resource} label="Loading the job">
				{(job) => (
					<>
						<div class="card">
							<div class="card-body stack">
								<Facts job={job} />
								<TextViewer text={job.command} label="Command" />
							</div>
						</div>
						<Runs key={job.id} job={job} />
					</>
				)}
			</Loaded>
		</div>
	);
};

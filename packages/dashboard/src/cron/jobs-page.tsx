import type {CronJob} from '@signalbox/client-sdk';
import {useLocation} from 'preact-iso';
import {useResource} from '../live/use-resource.ts';
import {Empty} from '../parts/empty.tsx';
import {Icon} from '../parts/icon.tsx';
import {Loaded} from '../parts/loaded.tsx';
import {Pager} from '../parts/pager.tsx';
import {Pill} from '../parts/pill.tsx';
import {TableHead} from '../parts/table-head.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {RelativeTime} from '../parts/time.tsx';
import {showProblem} from '../parts/toasts.tsx';
import {client} from '../session/client.ts';
import {CronHead} from './cron-head.tsx';

const limit = 50;

const Nothing = () => (
	<div class="card">
		<Empty icon="cron" title="No job yet">
			<p>
				A job is a command and when it runs: ./backup.sh, every day at 2:30am. An agent runs it on its host; here you
				see what it writes, and hear of it when it fails.
			</p>
			<a class="button primary" href="/cron/jobs/new">
				Make a job
			</a>
		</Empty>
	</div>
);

const RunNow = ({job}: {job: CronJob}) => {
	const {route} = useLocation();
	const run = async (): Promise<void> => {
		const {id} = await client.cron.jobs.run({path: {id: job.id}});
		route(`/cron/runs/${id}`);
	};
	return (
		<button
			type="button"
			class="button quiet small"
			aria-label={`Run ${job.name} now`}
			onClick={() => void run().catch(showProblem)}
		>
			<Icon name="run" />
			Run
		</button>
	);
};

const Row = ({job}: {job: CronJob}) => (
	<tr>
		<td>
			<a class="row-link" href={`/cron/jobs/${job.id}`}>
				<VisibleText text={job.name} />
			</a>
		</td>
		<td data-label="Schedule">
			<VisibleText text={job.schedule} />
		</td>
		<td data-label="Next run">
			{job.next_run_at === null ? <Pill tone="idle">Paused</Pill> : <RelativeTime instant={job.next_run_at} />}
		</td>
		<td data-label="Last run">{job.last_run_at === null ? 'never' : <RelativeTime instant={job.last_run_at} />}</td>
		<td data-label="Agent">
			<VisibleText text={job.agent_name ?? 'none yet'} />
		</td>
		<td class="actions">
			<RunNow job={job} />
		</td>
	</tr>
);

const Jobs = ({jobs}: {jobs: readonly CronJob[]}) => (
	<div class="table-frame">
		<table class="table cards">
			<TableHead columns={['Job', 'Schedule', 'Next run', 'Last run', 'Agent']} />
			<tbody>
				{jobs.map((job) => (
					<Row key={job.id} job={job} />
				))}
			</tbody>
		</table>
	</div>
);

export default () => {
	const {query, route} = useLocation();
	const offset = Number(query.offset) || 0;
	const resource = useResource(`jobs/${offset}`, () => client.cron.jobs.list({query: {limit, offset}}), [
		'cron.execution',
	]);
	return (
		<div class="page">
			<CronHead current="/cron">
				<a class="button primary" href="/cron/jobs/new">
					<Icon name="add" />
					New job
				</a>
			</CronHead>
			<Loaded resource={resource} label="Loading jobs">
				{({data, total}) =>
					total === 0 ? (
						<Nothing />
					) : (
						<div class="card">
							<Jobs jobs={data} />
							<Pager total={total} limit={limit} offset={offset} onOffset={(to) => route(`/cron?offset=${to}`)} />
						</div>
					)
				}
			</Loaded>
		</div>
	);
};

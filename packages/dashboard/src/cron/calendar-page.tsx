import {useResource} from '../live/use-resource.ts';
import {Empty} from '../parts/empty.tsx';
import {Loaded} from '../parts/loaded.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {RelativeTime} from '../parts/time.tsx';
import {client} from '../session/client.ts';
import {CronHead} from './cron-head.tsx';
import {readAllJobs} from './use-jobs.ts';
import {type Day, mostRuns, type Upcoming, type Week, weekOf} from './week.ts';

/** More are not told one by one. */
const mostJobs = 60;
const week = 7 * 86_400_000;

/** `unseen`: jobs that are left out, of which some may run in the next seven days. */
type Coming = Readonly<{jobs: readonly Upcoming[]; unseen: number}>;

const readUpcoming = async (): Promise<Coming> => {
	const [{data: next, total}, jobs] = await Promise.all([
		client.cron.jobs.next({query: {limit: mostJobs}}),
		readAllJobs(),
	]);
	const soon = next.filter(({next_run_at}) => Date.parse(next_run_at) < Date.now() + week);
	const mine = soon.flatMap(({job_id}) => jobs.filter(({id}) => id === job_id));
	const told = await Promise.all(
		mine.map(async ({id, name, schedule, timezone}) => {
			const {description, next_runs} = await client.cron.jobs.explain({body: {schedule, timezone, count: mostRuns}});
			return {id, name, description, runs: next_runs};
		}),
	);
	return {jobs: told, unseen: soon.length < next.length ? 0 : total - next.length};
};

const dayName = new Intl.DateTimeFormat('en-GB', {weekday: 'short', day: 'numeric', month: 'short'});
const clock = new Intl.DateTimeFormat('en-GB', {hour: '2-digit', minute: '2-digit'});

const DayColumn = ({day: {date, entries}, isToday}: {day: Day; isToday: boolean}) => (
	<li class={isToday ? 'day today' : 'day'}>
		<h2 class="day-name">{isToday ? `Today, ${dayName.format(date)}` : dayName.format(date)}</h2>
		{entries.length === 0 ? (
			<p class="small faint">Nothing</p>
		) : (
			<ul class="stack tight">
				{entries.map(({id, name, at}) => (
					<li key={`${id} ${at}`} class="day-entry">
						<time dateTime={at}>{clock.format(new Date(at))}</time>{' '}
						<a href={`/cron/jobs/${id}`}>
							<VisibleText text={name} />
						</a>
					</li>
				))}
			</ul>
		)}
	</li>
);

const JobLines = ({title, jobs}: {title: string; jobs: readonly Upcoming[]}) => {
	if (jobs.length === 0) return null;
	return (
		<section class="card" aria-label={title}>
			<div class="card-head">
				<h2>{title}</h2>
			</div>
			<ul class="card-body stack tight">
				{jobs.map(({id, name, description, runs}) => (
					<li key={id}>
						<a href={`/cron/jobs/${id}`}>
							<VisibleText text={name} />
						</a>
						: {description}
						{runs[0] !== undefined && (
							<span class="soft">
								, next <RelativeTime instant={runs[0]} />
							</span>
						)}
					</li>
				))}
			</ul>
		</section>
	);
};

const Calendar = ({days, often, unseen}: Week & Pick<Coming, 'unseen'>) => (
	<>
		{unseen > 0 && (
			<p class="small soft">
				Shown are the {mostJobs} <a href="/cron">jobs</a> that run next; {unseen} more may run in these days, too.
			</p>
		)}
		<ol class="week" aria-label="The next seven days">
			{days.map((day, at) => (
				<DayColumn key={day.date.getTime()} day={day} isToday={at === 0} />
			))}
		</ol>
		<JobLines title="Many times a week" jobs={often} />
	</>
);

const Nothing = () => (
	<div class="card">
		<Empty icon="cron" title="Nothing runs in the next seven days">
			<p>Jobs that are enabled stand here on the days on which they run, by your clock.</p>
			<a class="button primary" href="/cron/jobs/new">
				Make a job
			</a>
		</Empty>
	</div>
);

export default () => {
	const resource = useResource('cron-week', readUpcoming);
	return (
		<div class="page">
			<CronHead current="/cron/calendar" />
			<Loaded resource={resource} label="Loading the calendar" lines={10}>
				{({jobs, unseen}) =>
					jobs.length === 0 ? <Nothing /> : <Calendar {...weekOf(jobs, new Date())} unseen={unseen} />
				}
			</Loaded>
		</div>
	);
};

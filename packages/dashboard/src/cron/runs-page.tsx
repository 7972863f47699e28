import {useLocation} from 'preact-iso';
import {useResource} from '../live/use-resource.ts';
import {Empty} from '../parts/empty.tsx';
import {Loaded} from '../parts/loaded.tsx';
import {Pager} from '../parts/pager.tsx';
import {client} from '../session/client.ts';
import {CronHead} from './cron-head.tsx';
import {runStatuses} from './run-state.tsx';
import {RunsTable} from './runs-table.tsx';

const limit = 50;

const Nothing = ({filtered}: {filtered: boolean}) => (
	<Empty icon="cron" title={filtered ? 'No run is like that' : 'Nothing has run yet'}>
		<p>
			{filtered
				? 'Choose another state.'
				: 'Each run of each job is kept here: when it ran, how it ended, and what it wrote.'}
		</p>
	</Empty>
);

export default () => {
	const {query, route} = useLocation();
	const offset = Number(query.offset) || 0;
	const status = runStatuses.find(({value}) => value === query.status)?.value;
	const resource = useResource(
		`runs/${status ?? ''}/${offset}`,
		() => client.cron.executions.list({query: {...(status && {status}), limit, offset}}),
		['cron.execution'],
	);
	const go = (next: Readonly<Record<string, string>>): void => route(`/cron/runs?${new URLSearchParams(next)}`);
	return (
		<div class="page">
			<CronHead current="/cron/runs" />
			<div class="list-filters">
				<label class="filter">
					<span class="small soft">State</span>
					<select class="input" onInput={(event) => go({status: event.currentTarget.value})}>
						<option value="">All</option>
						{runStatuses.map(({value, label}) => (
							<option key={value} value={value} selected={value === status}>
								{label}
							</option>
						))}
					</select>
				</label>
			</div>
			<Loaded resource={resource} label="Loading runs">
				{({data, total}) => (
					<div class="card">
						{data.length === 0 ? <Nothing filtered={status !== undefined} /> : <RunsTable runs={data} />}
						<Pager
							total={total}
							limit={limit}
							offset={offset}
							onOffset={(to) => go({...(status && {status}), offset: String(to)})}
						/>
					</div>
				)}
			</Loaded>
		</div>
	);
};

import {useLocation} from 'preact-iso';
import {Empty} from '../parts/empty.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {client} from '../session/client.ts';
import {type ChainFields, ChainForm} from './chain-form.tsx';
import {FormCard, FormPage} from './form-page.tsx';
import {useJobs} from './use-jobs.ts';

const NoJob = () => (
	<div class="card">
		<Empty icon="cron" title="A chain is made of jobs">
			<p>Make the jobs first that it is to run. Those that are not to run by themselves can be paused.</p>
			<a class="button primary" href="/cron/jobs/new">
				Make a job
			</a>
		</Empty>
	</div>
);

export default () => {
	const {route} = useLocation();
	const jobs = useJobs();
	const save = async (body: ChainFields): Promise<void> => {
		const {id} = await client.cron.chains.create({body});
		route(`/cron/chains/${id}`);
	};
	return (
		<FormPage
			back={{href: '/cron/chains', label: 'Chains'}}
			title="New chain"
			lead="Jobs that run one after the other."
		>
			{jobs?.length === 0 ? (
				<NoJob />
			) : (
				<FormCard>
					{jobs === undefined ? (
						<Skeleton lines={8} label="Loading jobs" />
					) : (
						<ChainForm jobs={jobs} action="Make the chain" onSave={save} />
					)}
				</FormCard>
			)}
		</FormPage>
	);
};

import {useLocation, useRoute} from 'preact-iso';
import {useFresh} from '../live/use-fresh.ts';
import {Loaded} from '../parts/loaded.tsx';
import {client} from '../session/client.ts';
import {FormCard, FormPage} from './form-page.tsx';
import {type JobFields, JobForm} from './job-form.tsx';

export default () => {
	const {route} = useLocation();
	const {id = ''} = useRoute().params;
	const page = `/cron/jobs/${id}`;
	const resource = useFresh(`job/${id}`, () => client.cron.jobs.get({path: {id}}));
	const save = async (body: JobFields): Promise<void> => {
		await client.cron.jobs.update({path: {id}, body});
		route(page);
	};
	return (
		<FormPage back={{href: page, label: 'Job'}} title="Change a job">
			<Loaded resource={resource} label="Loading the job" lines={10}>
				{(job) => (
					<FormCard>
						<JobForm key={job.id} job={job} action="Save" onSave={save} />
					</FormCard>
				)}
			</Loaded>
		</FormPage>
	);
};

import {useLocation} from 'preact-iso';
import {client} from '../session/client.ts';
import {FormCard, FormPage} from './form-page.tsx';
import {type JobFields, JobForm} from './job-form.tsx';

export default () => {
	const {route} = useLocation();
	const save = async (body: JobFields): Promise<void> => {
		const {id} = await client.cron.jobs.create({body});
		route(`/cron/jobs/${id}`);
	};
	return (
		<FormPage
			back={{href: '/cron', label: 'Jobs'}}
			title="New job"
			lead="A command that an agent runs on its host, again and again."
		>
			<FormCard>
				<JobForm action="Make the job" onSave={save} />
			</FormCard>
		</FormPage>
	);
};

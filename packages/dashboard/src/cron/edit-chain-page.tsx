import {useLocation, useRoute} from 'preact-iso';
import {useFresh} from '../live/use-fresh.ts';
import {Loaded} from '../parts/loaded.tsx';
import {client} from '../session/client.ts';
import {type ChainFields, ChainForm} from './chain-form.tsx';
import {FormCard, FormPage} from './form-page.tsx';
import {useJobs} from './use-jobs.ts';

export default () => {
	const {route} = useLocation();
	const {id = ''} = useRoute().params;
	const jobs = useJobs();
	const resource = useFresh(`chain/${id}`, () => client.cron.chains.get({path: {id}}));
	const page = `/cron/chains/${id}`;
	const save = async (body: ChainFields): Promise<void> => {
		await client.cron.chains.update({path: {id}, body});
		route(page);
	};
	return (
		<FormPage back={{href: page, label: 'Chain'}} title="Change a chain">
			<Loaded resource={resource} label="Loading the chain" lines={8}>
				{(chain) =>
					jobs && (
						<FormCard>
							<ChainForm key={chain.id} jobs={jobs} chain={chain} action="Save" onSave={save} />
						</FormCard>
					)
				}
			</Loaded>
		</FormPage>
	);
};

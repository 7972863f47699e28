import '../parts/layout.css';
import './webhooks.css';
import {useLocation} from 'preact-iso';
import {Crumb} from '../parts/crumb.tsx';
import {client} from '../session/client.ts';
import type {EndpointFields} from './endpoint-fields.ts';
import {EndpointForm} from './endpoint-form.tsx';
import {showSecret} from './endpoint-secret.tsx';

export default () => {
	const {route} = useLocation();
	const save = async (body: EndpointFields): Promise<void> => {
		const endpoint = await client.webhook.endpoints.create({body});
		showSecret(endpoint);
		route(`/webhooks/endpoints/${endpoint.id}`);
	};
	return (
		<div class="page">
			<div class="page-head">
				<div>
					<Crumb href="/webhooks" label="Endpoints" />
					<h1>New endpoint</h1>
					<p class="lead">It gets an address that others post webhooks to. Steps and routing come next.</p>
				</div>
			</div>
			<div class="card form-card">
				<div class="card-body">
					<EndpointForm action="Make the endpoint" onSave={save} />
				</div>
			</div>
		</div>
	);
};

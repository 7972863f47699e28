import {EndpointFrame} from './endpoint-frame.tsx';
import {Routing} from './routing.tsx';

export default () => (
	<EndpointFrame>
		{(endpoint, {change}) => <Routing key={endpoint.id} endpoint={endpoint} onChange={(next) => change(() => next)} />}
	</EndpointFrame>
);

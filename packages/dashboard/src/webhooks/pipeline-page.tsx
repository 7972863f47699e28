import {EndpointFrame} from './endpoint-frame.tsx';
import {Pipeline} from './pipeline.tsx';

export default () => <EndpointFrame>{({id}) => <Pipeline key={id} endpointId={id} />}</EndpointFrame>;

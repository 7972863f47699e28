import './approvals.css';
import {useState} from 'preact/hooks';
import {useRoute} from 'preact-iso';
import {useResource} from '../live/use-resource.ts';
import {ErrorNotice} from '../parts/error-notice.tsx';
import {Icon} from '../parts/icon.tsx';
import {KeyHelpButton, useKeys} from '../parts/keys.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {client} from '../session/client.ts';
import {ApprovalDetail} from './approval-detail.tsx';
import {type Decision, DecisionDialog} from './decision.tsx';

export default () => {
	const {id = ''} = useRoute().params;
	const {data, error, reload, change} = useResource(`approval/${id}`, () => client.mcp.approvals.get({path: {id}}), [
		'approval.decided',
		'approval.pending',
	]);
	const [decision, setDecision] = useState<Decision>();
	const ask = (wanted: Decision): void => {
		if (data?.status === 'pending') setDecision(wanted);
	};
	useKeys([
		{key: 'a', does: 'Approve', run: () => ask('approve')},
		{key: 'r', does: 'Reject', run: () => ask('reject')},
	]);
	return (
		<div class="page">
			<div class="page-head">
				<div>
					<a class="crumb" href="/approvals">
						<Icon name="back" />
						Approvals
					</a>
					<h1>A call that needs approval</h1>
				</div>
				<KeyHelpButton />
			</div>
			{error !== undefined && <ErrorNotice error={error} retry={reload} />}
			{data === undefined && error === undefined && (
				<div class="card">
					<div class="card-body">
						<Skeleton lines={8} label="Loading the approval" />
					</div>
				</div>
			)}
			{data && <ApprovalDetail approval={data} onDecide={ask} />}
			{data && decision && (
				<DecisionDialog
					decision={decision}
					approvals={[data]}
					onDecided={([decided]) => decided && change(() => decided)}
					onClose={() => setDecision(undefined)}
				/>
			)}
		</div>
	);
};

import './approvals.css';
import {useLocation} from 'preact-iso';
import {Icon} from '../parts/icon.tsx';
import {KeyHelpButton} from '../parts/keys.tsx';
import {Tabs} from '../parts/tabs.tsx';
import {canNotify, isNotifying, startNotifying} from '../shell/desktop-notices.ts';
import {Decided, type DecidedStatus} from './decided.tsx';
import {Inbox} from './inbox.tsx';

type Status = 'pending' | DecidedStatus;

const statuses: Readonly<Record<Status, string>> = {
	pending: 'Waiting',
	approved: 'Approved',
	rejected: 'Rejected',
	expired: 'Expired',
};

const pathOf = (status: Status): string => (status === 'pending' ? '/approvals' : `/approvals?status=${status}`);

const tabs = (Object.keys(statuses) as Status[]).map((status) => ({path: pathOf(status), label: statuses[status]}));

const statusOf = (asked: string | undefined): Status =>
	asked !== undefined && asked in statuses ? (asked as Status) : 'pending';

export default () => {
	const {query} = useLocation();
	const status = statusOf(query.status);
	return (
		<div class="page">
			<div class="page-head">
				<h1>Approvals</h1>
				<div class="row">
					{canNotify && !isNotifying.value && (
						<button type="button" class="button quiet small" onClick={() => void startNotifying()}>
							<Icon name="bell" />
							Notify me
						</button>
					)}
					<KeyHelpButton />
				</div>
			</div>
			<Tabs label="States" tabs={tabs} current={pathOf(status)} />
			{status === 'pending' ? <Inbox /> : <Decided key={status} status={status} />}
		</div>
	);
};

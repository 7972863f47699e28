import {useState} from 'preact/hooks';
import {useResource} from '../live/use-resource.ts';
import {Empty} from '../parts/empty.tsx';
import {ErrorNotice} from '../parts/error-notice.tsx';
import {Pager} from '../parts/pager.tsx';
import {Pill} from '../parts/pill.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {RelativeTime} from '../parts/time.tsx';
import {showProblem} from '../parts/toasts.tsx';
import {client} from '../session/client.ts';
import {notificationKinds} from './notification-kinds.ts';
import {SettingsPage} from './settings-page.tsx';

type Notification = Awaited<ReturnType<typeof client.notifications.list>>['data'][number];

const limit = 20;

/** Where more is to be seen about it. */
const linkOf = ({type, data}: Notification): string | undefined => {
	if (type === 'approval_pending' && typeof data.approval_id === 'string') return `/approvals/${data.approval_id}`;
	if (type === 'budget_alert' && typeof data.mcp_server_id === 'string') return `/mcp/servers/${data.mcp_server_id}`;
	return undefined;
};

const Title = ({notification}: {notification: Notification}) => {
	const link = linkOf(notification);
	const title = <VisibleText text={notification.title} />;
	return link === undefined ? <span class="strong">{title}</span> : <a href={link}>{title}</a>;
};

const Row = ({notification, onChange}: {notification: Notification; onChange: () => void}) => {
	const [tone, word] = notificationKinds[notification.type];
	const path = {id: notification.id};
	const after = (done: Promise<unknown>): void => void done.then(onChange, showProblem);
	return (
		<li class={notification.is_read ? 'notification read' : 'notification'}>
			<div class="stack tight">
				<div class="row">
					<Pill tone={notification.is_read ? 'idle' : tone}>{word}</Pill>
					<Title notification={notification} />
				</div>
				<p class="soft small">
					<VisibleText text={notification.message} />
				</p>
			</div>
			<div class="row">
				<span class="small faint">
					<RelativeTime instant={notification.created_at} />
				</span>
				{!notification.is_read && (
					<button type="button" class="button quiet small" onClick={() => after(client.notifications.read({path}))}>
						Mark read
					</button>
				)}
				<button type="button" class="button quiet small" onClick={() => after(client.notifications.delete({path}))}>
					Delete
				</button>
			</div>
		</li>
	);
};

const Nothing = () => (
	<Empty icon="bell" title="You were told nothing yet">
		<p>
			Calls that wait for you, webhooks and jobs that failed for good, and budgets that run out are listed here, for as
			long as your plan keeps them.
		</p>
	</Empty>
);

export default () => {
	const [offset, setOffset] = useState(0);
	const {data, error, reload} = useResource(
		`notifications/${offset}`,
		() => client.notifications.list({query: {limit, offset}}),
		['notification'],
	);
	const readAll = (): void => void client.notifications.readAll().then(reload, showProblem);
	return (
		<SettingsPage
			tab="/settings/notifications"
			action={
				<button type="button" class="button" onClick={readAll} disabled={!data?.data.some(({is_read}) => !is_read)}>
					Mark all read
				</button>
			}
		>
			{error !== undefined && <ErrorNotice error={error} retry={reload} />}
			<div class="card">
				{data === undefined && error === undefined && (
					<div class="card-body">
						<Skeleton lines={6} label="Loading notifications" />
					</div>
				)}
				{data?.total === 0 && <Nothing />}
				{data && (
					<ul>
						{data.data.map((notification) => (
							<Row key={notification.id} notification={notification} onChange={reload} />
						))}
					</ul>
				)}
				{data && <Pager total={data.total} limit={limit} offset={offset} onOffset={setOffset} />}
			</div>
		</SettingsPage>
	);
};

import type {ComponentChildren} from 'preact';
import type {Resource} from '../live/use-resource.ts';
import {ErrorNotice} from '../parts/error-notice.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {TableHead} from '../parts/table-head.tsx';
import {Tabs} from '../parts/tabs.tsx';

const tabs = [
	{path: '/settings', label: 'Variables'},
	{path: '/settings/api-keys', label: 'API keys'},
	{path: '/settings/agents', label: 'Agents'},
	{path: '/settings/team', label: 'Team'},
	{path: '/settings/notifications', label: 'Notifications'},
	{path: '/settings/channels', label: 'Channels'},
	{path: '/settings/account', label: 'Account'},
] as const;

type Props = Readonly<{tab: (typeof tabs)[number]['path']; action?: ComponentChildren; children: ComponentChildren}>;

/** The frame of the pages about what a person or a team has set. */
export const SettingsPage = ({tab, action, children}: Props) => (
	<div class="page">
		<div class="page-head">
			<h1>Settings</h1>
			<div class="row">{action}</div>
		</div>
		<Tabs label="Settings" tabs={tabs} current={tab} />
		{children}
	</div>
);

type ListProps<T> = Readonly<{
	of: Resource<readonly T[]>;
	/** Names what is loading. */
	label: string;
	columns: readonly string[];
	empty: ComponentChildren;
	row: (item: T) => ComponentChildren;
}>;

/** A short list: a table, and cards where there is no room for one. The last column holds buttons. */
export const SettingsList = <T,>({of: {data, error, reload}, label, columns, empty, row}: ListProps<T>) => (
	<>
		{error !== undefined && <ErrorNotice error={error} retry={reload} />}
		<div class="card">
			{data === undefined && error === undefined && (
				<div class="card-body">
					<Skeleton lines={5} label={label} />
				</div>
			)}
			{data?.length === 0 && empty}
			{data !== undefined && data.length > 0 && (
				<table class="table cards">
					<TableHead columns={columns} />
					<tbody>{data.map(row)}</tbody>
				</table>
			)}
		</div>
	</>
);

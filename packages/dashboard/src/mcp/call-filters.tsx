import type {McpCall} from '@signalbox/client-sdk';
import {useRef} from 'preact/hooks';
import {useLocation} from 'preact-iso';
import {useServers} from './use-servers.ts';

/** Which calls are shown, as the address of the page says. */
export type Filter = Readonly<{
	server_id?: string;
	status?: McpCall['status'];
	tool_name?: string;
	method?: string;
	from?: string;
}>;

const statuses: readonly McpCall['status'][] = ['success', 'error', 'timeout'];
const hour = 3_600_000;
const spans = [
	{value: '', label: 'Any time'},
	{value: '1', label: 'Last hour'},
	{value: '24', label: 'Last day'},
	{value: '168', label: 'Last 7 days'},
];

type Query = Readonly<Record<string, string>>;

/** The start of a span, to the minute: the same for as long as a page is looked at. */
const startOf = (hours: string | undefined): string | undefined => {
	const length = Number(hours);
	if (!(length > 0)) return undefined;
	return new Date(Math.floor((Date.now() - length * hour) / 60_000) * 60_000).toISOString();
};

export const filterOf = ({server_id, status, tool_name, method, hours}: Query): Filter => {
	const known = statuses.find((each) => each === status);
	const from = startOf(hours);
	return {
		...(server_id && {server_id}),
		...(known && {status: known}),
		...(tool_name && {tool_name}),
		...(method && {method}),
		...(from && {from}),
	};
};

export const isFiltered = (filter: Filter): boolean => Object.keys(filter).length > 0;

const outcomes = [
	{value: '', label: 'Any outcome'},
	{value: 'success', label: 'Success'},
	{value: 'error', label: 'Error'},
	{value: 'timeout', label: 'Timeout'},
];
const methods = [
	{value: '', label: 'Any method'},
	...['tools/call', 'tools/list', 'initialize', 'resources/read', 'prompts/get'].map((value) => ({
		value,
		label: value,
	})),
];

const queryOf = (form: HTMLFormElement): string => {
	const chosen = [...new FormData(form)].filter(([, value]) => value !== '') as [string, string][];
	return new URLSearchParams(chosen).toString();
};

const Choice = ({
	name,
	label,
	options,
	value = '',
}: {
	name: string;
	label: string;
	options: readonly Readonly<{value: string; label: string}>[];
	value: string | undefined;
}) => (
	<select class="input" name={name} aria-label={label}>
		{options.map((option) => (
			<option key={option.value} value={option.value} selected={option.value === value}>
				{option.label}
			</option>
		))}
	</select>
);

/** Narrows the log. What was chosen stands in the address, so that it can be sent to somebody. */
export const CallFilters = ({filter}: {filter: Filter}) => {
	const {route, query} = useLocation();
	const form = useRef<HTMLFormElement>(null);
	const {servers} = useServers();
	const apply = (): void => {
		if (form.current) route(`/mcp/calls?${queryOf(form.current)}`, true);
	};
	const serverOptions = [
		{value: '', label: 'Every server'},
		...servers.map(({id, name}) => ({value: id, label: name})),
	];
	return (
		<search>
			<form
				ref={form}
				class="filters"
				onChange={apply}
				onSubmit={(event) => {
					event.preventDefault();
					apply();
				}}
			>
				<Choice name="server_id" label="Server" value={filter.server_id} options={serverOptions} />
				<Choice name="status" label="Status" value={filter.status} options={outcomes} />
				<Choice name="method" label="Method" value={filter.method} options={methods} />
				<Choice name="hours" label="When" value={query.hours} options={spans} />
				<input
					class="input mono"
					name="tool_name"
					aria-label="Tool"
					placeholder="Tool, by its whole name"
					defaultValue={filter.tool_name}
					spellcheck={false}
				/>
			</form>
		</search>
	);
};

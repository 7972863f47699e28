import type {WebhookEndpoint} from '@signalbox/client-sdk';
import {useLocation} from 'preact-iso';
import {type EventStatus, eventStatuses, isEventStatus} from './event-state.tsx';

/** Which events are listed. Stands in the address, so that it can be kept and sent to others. */
export type EventFilter = Readonly<{endpoint_id?: string; status?: EventStatus; from?: string; to?: string}>;

type Query = Readonly<Record<string, string>>;

const instantIn = (text: string | undefined): string | undefined => {
	const at = Date.parse(text ?? '');
	return Number.isNaN(at) ? undefined : new Date(at).toISOString();
};

export const filterOf = ({endpoint, status, from, to}: Query): EventFilter => {
	const [first, last] = [instantIn(from), instantIn(to)];
	return {
		...(endpoint && {endpoint_id: endpoint}),
		...(isEventStatus(status) && {status}),
		...(first && {from: first}),
		...(last && {to: last}),
	};
};

type ChoiceProps = Readonly<{
	label: string;
	value: string;
	options: readonly Readonly<{value: string; label: string}>[];
	onInput: (value: string) => void;
}>;

const Choice = ({label, value, options, onInput}: ChoiceProps) => (
	<label class="filter">
		<span class="small soft">{label}</span>
		<select class="input" onInput={(event) => onInput(event.currentTarget.value)}>
			<option value="">All</option>
			{options.map((option) => (
				<option key={option.value} value={option.value} selected={option.value === value}>
					{option.label}
				</option>
			))}
		</select>
	</label>
);

const Moment = ({label, value, onInput}: {label: string; value: string; onInput: (value: string) => void}) => (
	<label class="filter">
		<span class="small soft">{label}</span>
		<input class="input" type="datetime-local" value={value} onChange={(event) => onInput(event.currentTarget.value)} />
	</label>
);

export const EventFilters = ({endpoints}: {endpoints: readonly WebhookEndpoint[]}) => {
	const {query, path, route} = useLocation();
	const set = (name: string) => (value: string) => {
		const next = Object.entries({...query, [name]: value, offset: ''}).filter(([, text]) => text !== '');
		route(`${path}?${new URLSearchParams(next)}`);
	};
	const named = endpoints.map(({id, name}) => ({value: id, label: name}));
	return (
		<div class="list-filters">
			<Choice label="Endpoint" value={query.endpoint ?? ''} options={named} onInput={set('endpoint')} />
			<Choice label="State" value={query.status ?? ''} options={eventStatuses} onInput={set('status')} />
			<Moment label="From" value={query.from ?? ''} onInput={set('from')} />
			<Moment label="Until" value={query.to ?? ''} onInput={set('to')} />
		</div>
	);
};

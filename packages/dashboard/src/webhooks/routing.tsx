import type {RoutingRule, WebhookEndpoint} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {useOrder} from '../live/use-order.ts';
import {useResource} from '../live/use-resource.ts';
import {useTrial} from '../live/use-trial.ts';
import {ConfirmDialog} from '../parts/confirm-dialog.tsx';
import {Empty} from '../parts/empty.tsx';
import {ErrorNotice} from '../parts/error-notice.tsx';
import {Icon} from '../parts/icon.tsx';
import {Loaded} from '../parts/loaded.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {showProblem} from '../parts/toasts.tsx';
import {client} from '../session/client.ts';
import {RoutingOutcome} from './routing-outcome.tsx';
import {RuleDialog} from './rule-dialog.tsx';
import {RuleList} from './rule-list.tsx';
import {asSent, sampleOf} from './sample.ts';
import {SampleEditor} from './sample-editor.tsx';

type Mode = WebhookEndpoint['routing_mode'];

const modes: readonly Readonly<{mode: Mode; label: string; hint: string}>[] = [
	{mode: 'single', label: 'One destination', hint: 'All goes to the destination of the endpoint. Rules are not asked.'},
	{mode: 'first_match', label: 'The first rule that matches', hint: 'Rules are asked in order; one gets it, or none.'},
	{mode: 'all_match', label: 'Every rule that matches', hint: 'One webhook may go to several destinations.'},
	{mode: 'broadcast', label: 'Every rule', hint: 'All rules get it, whatever their conditions say.'},
];

type ModesProps = Readonly<{current: Mode; onChoose: (mode: Mode) => void}>;

const Modes = ({current, onChoose}: ModesProps) => (
	<fieldset class="modes">
		<legend class="strong">Who gets a webhook</legend>
		{modes.map(({mode, label, hint}) => (
			<label key={mode} class="mode">
				<input
					type="radio"
					name="routing_mode"
					value={mode}
					checked={mode === current}
					onChange={() => onChoose(mode)}
				/>
				<span>{label}</span>
				<span class="small soft">{hint}</span>
			</label>
		))}
	</fieldset>
);

const RoutingTest = ({endpoint, rules}: {endpoint: WebhookEndpoint; rules: readonly RoutingRule[]}) => {
	const sample = asSent(sampleOf(endpoint.id));
	const {result, error, isRunning} = useTrial(
		() => client.webhook.routingRules.test({path: {endpoint_id: endpoint.id}, body: sample}),
		JSON.stringify([sample, endpoint.routing_mode, endpoint.destination_url, rules]),
	);
	return (
		<SampleEditor endpointId={endpoint.id}>
			<div class="stack tight" aria-busy={isRunning}>
				<h3>Where it goes</h3>
				{error !== undefined && <ErrorNotice error={error} />}
				{result === undefined && error === undefined && <Skeleton lines={3} label="Trying the webhook" />}
				{result && <RoutingOutcome trace={result} />}
			</div>
		</SampleEditor>
	);
};

const useRules = (endpointId: string) => {
	const resource = useResource(
		`rules/${endpointId}`,
		async (): Promise<readonly RoutingRule[]> =>
			(await client.webhook.routingRules.list({path: {endpoint_id: endpointId}})).data,
	);
	const move = useOrder(resource, async (next, before) => {
		const orders = new Map(before.map(({id, sort_order}) => [id, sort_order]));
		for (const {id, sort_order} of next)
			if (orders.get(id) !== sort_order)
				await client.webhook.routingRules.update({path: {endpoint_id: endpointId, rule_id: id}, body: {sort_order}});
	});
	return {resource, move};
};

const NoRule = () => (
	<Empty icon="webhooks" title="No rule yet">
		<p>
			A rule is a destination with a condition: paid orders here, refunds there. Add rules, then choose who gets a
			webhook.
		</p>
	</Empty>
);

type RulesProps = Readonly<{
	endpoint: WebhookEndpoint;
	rules: readonly RoutingRule[];
	move: (from: number, to: number) => void;
	onSaved: () => void;
}>;

const Rules = ({endpoint, rules, move, onSaved}: RulesProps) => {
	const [edited, edit] = useState<RoutingRule | 'new'>();
	const [removed, remove] = useState<RoutingRule>();
	const removeNow = async ({id}: RoutingRule): Promise<void> => {
		await client.webhook.routingRules.delete({path: {endpoint_id: endpoint.id, rule_id: id}});
		onSaved();
	};
	return (
		<section class="card" aria-label="Rules of this endpoint">
			<div class="card-head">
				<h2>Rules</h2>
				<button type="button" class="button small" onClick={() => edit('new')}>
					<Icon name="add" />
					Add a rule
				</button>
			</div>
			{rules.length === 0 ? <NoRule /> : <RuleList rules={rules} move={move} edit={edit} remove={remove} />}
			{edited && (
				<RuleDialog
					endpointId={endpoint.id}
					rule={edited === 'new' ? undefined : edited}
					onSaved={onSaved}
					onClose={() => edit(undefined)}
				/>
			)}
			{removed && (
				<ConfirmDialog
					title={`Remove ${removed.name}?`}
					action="Remove rule"
					onConfirm={() => removeNow(removed)}
					onClose={() => remove(undefined)}
				>
					<p>Webhooks that come in from now on go without it.</p>
				</ConfirmDialog>
			)}
		</section>
	);
};

type Props = Readonly<{endpoint: WebhookEndpoint; onChange: (endpoint: WebhookEndpoint) => void}>;

/** Who gets a webhook, and a test beside it. */
export const Routing = ({endpoint, onChange}: Props) => {
	const {resource, move} = useRules(endpoint.id);
	const choose = (routing_mode: Mode): void => {
		void client.webhook.routingRules
			.setMode({path: {endpoint_id: endpoint.id}, body: {routing_mode}})
			.then(onChange)
			.catch(showProblem);
	};
	return (
		<Loaded resource={resource} label="Loading the rules">
			{(rules) => (
				<div class="beside">
					<div class="stack">
						<div class="card">
							<div class="card-body">
								<Modes current={endpoint.routing_mode} onChoose={choose} />
							</div>
						</div>
						<Rules endpoint={endpoint} rules={rules} move={move} onSaved={resource.reload} />
					</div>
					<RoutingTest endpoint={endpoint} rules={rules} />
				</div>
			)}
		</Loaded>
	);
};

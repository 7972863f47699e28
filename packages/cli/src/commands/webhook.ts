import type {SignalboxClient, WebhookEvent} from '@signalbox/client-sdk';
import {type Command, type Context, numberOf, type Shown, UsageError} from '../command-line/command.ts';
import {tableOf} from '../command-line/table.ts';
import {connectApi} from '../login/connection.ts';
import {findNamed} from './named.ts';

const statuses = [
	...(['pending', 'retrying', 'delivered', 'failed'] as const),
	...(['filtered', 'duplicate', 'unmatched', 'pipeline_error'] as const),
];

const selectionOptions = {
	endpoint: {value: 'name', summary: 'of one endpoint, by its name or id'},
	status: {value: 'status', choices: statuses, summary: 'in that state'},
} as const;

const selectionOf = async (context: Context, api: SignalboxClient) => {
	const endpoint = context.text('endpoint');
	const endpoint_id = endpoint && findNamed((await api.webhook.endpoints.list()).data, endpoint, 'endpoint').id;
	const status = statuses.find((each) => each === context.text('status'));
	return {...(endpoint_id && {endpoint_id}), ...(status && {status})};
};

const endpoints: Command = {
	name: 'webhook endpoints',
	summary: 'Lists webhook endpoints',
	run: async (context) => {
		const {data} = await (await connectApi(context)).webhook.endpoints.list();
		// Its secret is for who verifies deliveries, and is read where that is set up.
		const shown = data.map(({signing_secret: _, ...endpoint}) => endpoint);
		const text = tableOf(
			shown,
			[
				{head: 'ID', of: ({id}) => id},
				{head: 'NAME', of: ({name}) => name},
				{head: 'SLUG', of: ({slug}) => slug},
				{head: 'ACTIVE', of: ({is_active}) => (is_active ? 'yes' : 'no')},
				{head: 'DESTINATION', of: ({destination_url}) => destination_url},
			],
			'There are no webhook endpoints.',
		);
		return {json: shown, text};
	},
};

const colorOf = ({delivery_status}: WebhookEvent) => {
	if (delivery_status === 'delivered') return 'green';
	return ['failed', 'pipeline_error', 'unmatched'].includes(delivery_status) ? 'red' : 'yellow';
};

const events: Command = {
	name: 'webhook events',
	summary: 'Lists the latest webhooks that came in',
	options: {...selectionOptions, limit: {value: 'n', summary: 'as many, 1 to 100; 50 without it'}},
	run: async (context) => {
		const limit = numberOf(context, 'limit', [1, 100]) ?? 50;
		const api = await connectApi(context);
		const {data} = await api.webhook.events.list({query: {limit, ...(await selectionOf(context, api))}});
		const text = tableOf(
			data,
			[
				{head: 'ID', of: ({id}) => id},
				{
					head: 'STATUS',
					of: ({delivery_status}) => delivery_status,
					style: (cell, event) => context.output.style(colorOf(event), cell),
				},
				{head: 'CODE', of: ({status_code}) => String(status_code ?? '')},
				{head: 'RETRIES', of: ({retry_count}) => String(retry_count)},
				{head: 'REQUEST', of: ({method, path}) => `${method} ${path}`},
			],
			'There are no such webhooks.',
		);
		return {json: data, text};
	},
};

type Again = Readonly<{
	one(api: SignalboxClient, id: string): Promise<WebhookEvent>;
	all(api: SignalboxClient, body: Awaited<ReturnType<typeof selectionOf>>): Promise<{count: number; skipped: number}>;
}>;

const runAgain = async (context: Context, {one, all}: Again): Promise<Shown> => {
	const id = context.optional('id');
	if ((id === undefined) !== context.isOn('all')) throw new UsageError('name one event by its id, or --all');
	const api = await connectApi(context);
	if (id !== undefined) {
		const event = await one(api, id);
		return {json: event, text: `${event.id}: ${event.delivery_status}.\n`};
	}
	const changed = await all(api, await selectionOf(context, api));
	return {json: changed, text: `${changed.count} done, ${changed.skipped} passed over.\n`};
};

const again = (verb: string, texts: Readonly<{summary: string; details: string}>, calls: Again): Command => ({
	name: `webhook ${verb}`,
	...texts,
	args: [{name: 'id', isOptional: true}],
	options: {all: {summary: 'all, or those that the options below select'}, ...selectionOptions},
	run: (context) => runAgain(context, calls),
});

const retry = again(
	'retry',
	{
		summary: 'Sends failed deliveries again',
		details: '  signalbox webhook retry <id>\n  signalbox webhook retry --all --endpoint orders',
	},
	{
		one: (api, id) => api.webhook.events.retry({path: {id}}),
		all: (api, body) => api.webhook.events.retryAll({body}),
	},
);

const replay = again(
	'replay',
	{
		summary: 'Takes webhooks through the pipeline anew, as if they had come in again',
		details: '  signalbox webhook replay <id>\n  signalbox webhook replay --all --status delivered',
	},
	{
		one: (api, id) => api.webhook.events.replay({path: {id}}),
		all: (api, body) => api.webhook.events.replayAll({body}),
	},
);

export const webhookCommands: readonly Command[] = [endpoints, events, retry, replay];

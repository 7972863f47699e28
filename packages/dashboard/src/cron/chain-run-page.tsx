import '../parts/layout.css';
import './cron.css';
import type {CronChainExecution} from '@signalbox/client-sdk';
import {useRoute} from 'preact-iso';
import {usePolling} from '../live/use-polling.ts';
import {useResource} from '../live/use-resource.ts';
import {Crumb} from '../parts/crumb.tsx';
import {Fact} from '../parts/fact.tsx';
import {Loaded} from '../parts/loaded.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {RelativeTime} from '../parts/time.tsx';
import {client} from '../session/client.ts';
import {ChainGraph} from './chain-graph.tsx';
import {RunActions} from './run-actions.tsx';
import {causeOf} from './run-state.tsx';

type ActionsProps = Readonly<{run: CronChainExecution; onChange: (run: CronChainExecution) => void}>;

const Actions = ({run, onChange}: ActionsProps) => (
	<RunActions
		run={run}
		cancel={async () => onChange(await client.cron.chainExecutions.cancel({path: {id: run.id}}))}
		again={async () => `/cron/chain-runs/${(await client.cron.chains.run({path: {id: run.chain_id}})).id}`}
	/>
);

const Facts = ({run}: {run: CronChainExecution}) => (
	<dl class="facts">
		<Fact name="Started">
			<RelativeTime instant={run.started_at} /> by {causeOf(run.triggered_by)}
		</Fact>
		{run.trigger_event_id !== null && (
			<Fact name="Webhook">
				<a href={`/webhooks/events/${run.trigger_event_id}`}>The one that started it</a>
			</Fact>
		)}
		{run.completed_at !== null && (
			<Fact name="Ended">
				<RelativeTime instant={run.completed_at} />
			</Fact>
		)}
	</dl>
);

export default () => {
	const {id = ''} = useRoute().params;
	const resource = useResource(`chain-run/${id}`, () => client.cron.chainExecutions.get({path: {id}}), [
		'chain.execution',
	]);
	const {data, reload, change} = resource;
	usePolling(data !== undefined && data.completed_at === null, reload);
	return (
		<div class="page">
			<div class="page-head">
				<div>
					<Crumb href={data ? `/cron/chains/${data.chain_id}` : '/cron/chains'} label="Chain" />
					<h1>
						<VisibleText text={data?.chain_name ?? 'Run of a chain'} />
					</h1>
				</div>
				{data && <Actions run={data} onChange={(next) => change(() => next)} />}
			</div>
			<Loaded resource={resource} label="Loading the run">
				{(run) => (
					<div class="card">
						<div class="card-body stack">
							<Facts run={run} />
							<ChainGraph steps={run.steps} />
						</div>
					</div>
				)}
			</Loaded>
		</div>
	);
};

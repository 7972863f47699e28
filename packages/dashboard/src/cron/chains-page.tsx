import type {CronChain} from '@signalbox/client-sdk';
import {useResource} from '../live/use-resource.ts';
import {Empty} from '../parts/empty.tsx';
import {Icon} from '../parts/icon.tsx';
import {Loaded} from '../parts/loaded.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {RelativeTime} from '../parts/time.tsx';
import {client} from '../session/client.ts';
import {triggerText} from './chain-words.ts';
import {CronHead} from './cron-head.tsx';

const Nothing = () => (
	<div class="card">
		<Empty icon="cron" title="No chain yet">
			<p>
				A chain runs jobs one after the other: export, then upload when that succeeded, and an alarm when it did not. A
				schedule starts it, a webhook, or you.
			</p>
			<a class="button primary" href="/cron/chains/new">
				Make a chain
			</a>
		</Empty>
	</div>
);

const Row = ({chain}: {chain: CronChain}) => (
	<tr>
		<td>
			<a class="row-link" href={`/cron/chains/${chain.id}`}>
				<VisibleText text={chain.name} />
			</a>
		</td>
		<td data-label="Steps">{chain.steps.length}</td>
		<td data-label="Started by">
			<VisibleText text={triggerText(chain)} />
		</td>
		<td data-label="Next run">{chain.next_run_at === null ? '–' : <RelativeTime instant={chain.next_run_at} />}</td>
	</tr>
);

const Chains = ({chains}: {chains: readonly CronChain[]}) => (
	<div class="card table-frame">
		<table class="table cards">
			<thead>
				<tr>
					<th>Chain</th>
					<th>Steps</th>
					<th>Started by</th>
					<th>Next run</th>
				</tr>
			</thead>
			<tbody>
				{chains.map((chain) => (
					<Row key={chain.id} chain={chain} />
				))}
			</tbody>
		</table>
	</div>
);

export default () => {
	const resource = useResource('chains', async () => (await client.cron.chains.list()).data, ['chain.execution']);
	return (
		<div class="page">
			<CronHead current="/cron/chains">
				<a class="button primary" href="/cron/chains/new">
					<Icon name="add" />
					New chain
				</a>
			</CronHead>
			<Loaded resource={resource} label="Loading chains">
				{(chains) => (chains.length === 0 ? <Nothing /> : <Chains chains={chains} />)}
			</Loaded>
		</div>
	);
};

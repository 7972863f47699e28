import '../parts/layout.css';
import './cron.css';
import type {CronChain} from '@signalbox/client-sdk';
import {useLocation, useRoute} from 'preact-iso';
import {useResource} from '../live/use-resource.ts';
import {Crumb} from '../parts/crumb.tsx';
import {DeleteButton} from '../parts/delete-button.tsx';
import {Empty} from '../parts/empty.tsx';
import {Icon} from '../parts/icon.tsx';
import {Loaded} from '../parts/loaded.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {RelativeTime} from '../parts/time.tsx';
import {showProblem} from '../parts/toasts.tsx';
import {client} from '../session/client.ts';
import {ChainGraph} from './chain-graph.tsx';
import {triggerText} from './chain-words.ts';
import {causeOf, RunState} from './run-state.tsx';
import {readAllJobs} from './use-jobs.ts';

const Actions = ({chain}: {chain: CronChain}) => {
	const {route} = useLocation();
	const path = {id: chain.id};
	const run = async (): Promise<void> => {
		const {id} = await client.cron.chains.run({path});
		route(`/cron/chain-runs/${id}`);
	};
	const remove = async (): Promise<void> => {
		await client.cron.chains.delete({path});
		route('/cron/chains');
	};
	return (
		<div class="row">
			<button type="button" class="button primary" onClick={() => void run().catch(showProblem)}>
				<Icon name="run" />
				Run now
			</button>
			<a class="button" href={`/cron/chains/${chain.id}/edit`}>
				Change
			</a>
			<DeleteButton name={chain.name} id={chain.id} onDelete={remove}>
				<p>Its jobs stay. What runs of it now is ended.</p>
			</DeleteButton>
		</div>
	);
};

const Runs = ({id}: {id: string}) => {
	const resource = useResource(
		`chain-runs/${id}`,
		async () => (await client.cron.chains.executions({path: {id}, query: {limit: 20}})).data,
		['chain.execution'],
	);
	return (
		<section class="stack tight" aria-label="Runs">
			<h2>Runs</h2>
			<Loaded resource={resource} label="Loading runs">
				{(runs) => (
					<div class="card">
						{runs.length === 0 && (
							<Empty icon="cron" title="It has not run yet">
								<p>Run it now, and see its steps run one after the other.</p>
							</Empty>
						)}
						<ul>
							{runs.map((run) => (
								<li key={run.id} class="line-row">
									<RunState status={run.status} />
									<a href={`/cron/chain-runs/${run.id}`}>
										<RelativeTime instant={run.started_at} />
									</a>
									<span class="soft">started by {causeOf(run.triggered_by)}</span>
								</li>
							))}
						</ul>
					</div>
				)}
			</Loaded>
		</section>
	);
};

/** A chain with the names of its jobs: read together, so that it is drawn once. */
const readChain = async (id: string) => {
	const [chain, jobs] = await Promise.all([client.cron.chains.get({path: {id}}), readAllJobs()]);
	const names = new Map(jobs.map((job) => [job.id, job.name]));
	const nameOf = (job: string): string => names.get(job) ?? 'a job that is gone';
	return {...chain, steps: chain.steps.map((step) => ({...step, job_name: nameOf(step.cron_job_id)}))};
};

const Steps = ({description, steps}: Awaited<ReturnType<typeof readChain>>) => (
	<div class="card">
		<div class="card-body stack">
			{description !== null && (
				<p class="soft">
					<VisibleText text={description} />
				</p>
			)}
			<ChainGraph steps={steps} />
		</div>
	</div>
);

export default () => {
	const {id = ''} = useRoute().params;
	const resource = useResource(`chain-with-names/${id}`, () => readChain(id));
	const {data} = resource;
	return (
		<div class="page">
			<div class="page-head">
				<div>
					<Crumb href="/cron/chains" label="Chains" />
					<h1>
						<VisibleText text={data?.name ?? 'Chain'} />
					</h1>
					<p class="lead">
						Started by: <VisibleText text={data === undefined ? '…' : triggerText(data)} />
					</p>
				</div>
				{data && <Actions chain={data} />}
			</div>
			<Loaded resource={resource} label="Loading the chain">
				{(chain) => (
					<>
						<Steps {...chain} />
						<Runs key={id} id={id} />
					</>
				)}
			</Loaded>
		</div>
	);
};

import type {CostReport, McpServer} from '@signalbox/client-sdk';
import {useResource} from '../live/use-resource.ts';
import {ErrorNotice} from '../parts/error-notice.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {client} from '../session/client.ts';
import {moneyText} from './server-words.ts';

const mostTools = 8;
const usualAlert = 80;

const Budget = ({report, server}: {report: CostReport; server: McpServer}) => {
	const alertAt = server.rate_limit_config.cost?.alert_threshold_percent ?? usualAlert;
	const percent = report.usage_percent ?? 0;
	if (report.budget_cents === null)
		return (
			<p class="soft">
				No budget. <a href={`/mcp/servers/${server.id}/edit`}>Set one</a>, and calls beyond it are refused until the
				month ends.
			</p>
		);
	return (
		<div class="stack tight">
			<meter
				class="budget"
				min={0}
				max={100}
				low={alertAt}
				high={alertAt}
				optimum={0}
				value={Math.min(percent, 100)}
				aria-label="Part of the budget that is spent"
			/>
			<p class="soft number">
				{Math.round(percent)} % of {moneyText(report.budget_cents)}; an alert comes at {alertAt} %.
			</p>
		</div>
	);
};

const Tools = ({report}: {report: CostReport}) => (
	<ul class="stack tight">
		{report.tool_breakdown.slice(0, mostTools).map(({tool_name, total_cents, call_count}) => (
			<li key={tool_name} class="pair">
				<code class="truncate">
					<VisibleText text={tool_name} />
				</code>
				<span class="soft number nowrap">
					{moneyText(total_cents)} in {call_count} {call_count === 1 ? 'call' : 'calls'}
				</span>
			</li>
		))}
	</ul>
);

/** What this month's calls cost, and what is left of the budget. */
export const BudgetCard = ({server}: {server: McpServer}) => {
	const {id} = server;
	const {data, error, reload} = useResource(`mcp/costs/${id}`, () => client.mcp.servers.costs({path: {id}}), [
		'mcp.call',
	]);
	return (
		<section class="card" aria-labelledby="costs">
			<div class="card-head">
				<h2 id="costs">Cost this month</h2>
				{data && <span class="strong number">{moneyText(data.total_cents)}</span>}
			</div>
			<div class="card-body stack">
				{error !== undefined && <ErrorNotice error={error} retry={reload} />}
				{data === undefined && error === undefined && <Skeleton lines={3} label="Loading costs" />}
				{data && <Budget report={data} server={server} />}
				{data && data.tool_breakdown.length > 0 && <Tools report={data} />}
			</div>
		</section>
	);
};

import type {Approval} from '@signalbox/client-sdk';
import {VisibleText} from '../parts/text-viewer.tsx';
import {Countdown, RelativeTime} from '../parts/time.tsx';
import {useNames} from './names.ts';

const longestSummary = 140;

const summaryOf = ({request_body, arguments_json}: Approval): string =>
	(arguments_json ?? JSON.stringify(request_body)).slice(1, longestSummary);

type Props = Readonly<{
	approvals: readonly Approval[];
	selected: string | undefined;
	marked: ReadonlySet<string>;
	onSelect: (id: string) => void;
	onMark: (id: string) => void;
}>;

/** What waits, the first to expire first. */
export const InboxList = ({approvals, selected, marked, onSelect, onMark}: Props) => {
	const {server} = useNames();
	return (
		<ul class="card inbox-list" aria-label="Waiting approvals">
			{approvals.map((approval) => (
				<li key={approval.id} class="inbox-row" data-selected={approval.id === selected} data-id={approval.id}>
					<input
						type="checkbox"
						aria-label={`Mark the call of ${approval.tool_name}`}
						checked={marked.has(approval.id)}
						onChange={() => onMark(approval.id)}
					/>
					<a
						href={`/approvals/${approval.id}`}
						aria-current={approval.id === selected ? 'true' : undefined}
						onClick={(event) => {
							// Beside the list there is room for what it is about; on a phone it has a page.
							if (matchMedia('(max-width: 960px)').matches || event.metaKey || event.ctrlKey) return;
							event.preventDefault();
							event.stopPropagation();
							onSelect(approval.id);
						}}
					>
						<span class="inbox-line">
							<code class="truncate strong">
								<VisibleText text={approval.tool_name} />
							</code>
							<Countdown until={approval.expires_at} />
						</span>
						<span class="inbox-line small soft">
							<span class="truncate">{server(approval.mcp_server_id)}</span>
							<RelativeTime instant={approval.created_at} />
						</span>
						<code class="truncate small faint">
							<VisibleText text={summaryOf(approval)} />
						</code>
					</a>
				</li>
			))}
		</ul>
	);
};

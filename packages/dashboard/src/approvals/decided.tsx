import type {Approval} from '@signalbox/client-sdk';
import {useResource} from '../live/use-resource.ts';
import {Empty} from '../parts/empty.tsx';
import {ErrorNotice} from '../parts/error-notice.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {RelativeTime} from '../parts/time.tsx';
import {client} from '../session/client.ts';
import {useNames} from './names.ts';

export type DecidedStatus = Exclude<Approval['status'], 'pending'>;

const nothing: Readonly<Record<DecidedStatus, readonly [string, string]>> = {
	approved: ['Nothing was approved yet', 'What you approve is listed here, with who did it, when, and the note.'],
	rejected: [
		'Nothing was rejected yet',
		'What you reject is listed here. The agent gets the note as the answer of its call.',
	],
	expired: ['Nothing has expired', 'A call that nobody decides in time is not run. How long that is, its server says.'],
};

const Row = ({approval, names}: {approval: Approval; names: ReturnType<typeof useNames>}) => (
	<tr>
		<td>
			<a class="row-link" href={`/approvals/${approval.id}`}>
				<code>
					<VisibleText text={approval.tool_name} />
				</code>
			</a>
		</td>
		<td data-label="Server">{names.server(approval.mcp_server_id)}</td>
		<td data-label="When">
			<RelativeTime instant={approval.decided_at ?? approval.expires_at} />
		</td>
		<td data-label="By">{approval.decided_by === null ? 'nobody' : names.person(approval.decided_by)}</td>
		<td data-label="Note">
			<VisibleText text={approval.decision_note ?? '–'} />
		</td>
	</tr>
);

/** What became of calls that waited. */
export const Decided = ({status}: {status: DecidedStatus}) => {
	const names = useNames();
	const {data, error, reload} = useResource(
		`approvals/${status}`,
		async () => (await client.mcp.approvals.list({query: {status}})).data,
		['approval.decided'],
	);
	if (data === undefined && error !== undefined) return <ErrorNotice error={error} retry={reload} />;
	const [title, lesson] = nothing[status];
	return (
		<div class="card">
			{data === undefined && (
				<div class="card-body">
					<Skeleton lines={6} label="Loading approvals" />
				</div>
			)}
			{data?.length === 0 && (
				<Empty icon="approvals" title={title}>
					<p>{lesson}</p>
				</Empty>
			)}
			{data !== undefined && data.length > 0 && (
				<div class="table-frame">
					<table class="table cards">
						<thead>
							<tr>
								<th>Tool</th>
								<th>Server</th>
								<th>When</th>
								<th>By</th>
								<th>Note</th>
							</tr>
						</thead>
						<tbody>
							{data.map((approval) => (
								<Row key={approval.id} approval={approval} names={names} />
							))}
						</tbody>
					</table>
				</div>
			)}
		</div>
	);
};

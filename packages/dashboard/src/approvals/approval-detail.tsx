import type {Approval} from '@signalbox/client-sdk';
import type {ComponentChildren} from 'preact';
import {VisibleText} from '../parts/text-viewer.tsx';
import {Countdown, RelativeTime} from '../parts/time.tsx';
import {ApprovalState} from './approval-state.tsx';
import {Arguments} from './arguments.tsx';
import type {Decision} from './decision.tsx';
import {useNames} from './names.ts';

const Fact = ({name, children}: {name: string; children: ComponentChildren}) => (
	<>
		<dt>{name}</dt>
		<dd>{children}</dd>
	</>
);

const Outcome = ({approval, person}: {approval: Approval; person: (id: string) => string}) => (
	<>
		{approval.decided_by !== null && (
			<Fact name={approval.status === 'approved' ? 'Approved by' : 'Rejected by'}>{person(approval.decided_by)}</Fact>
		)}
		{approval.decided_at !== null && (
			<Fact name="When">
				<RelativeTime instant={approval.decided_at} />
			</Fact>
		)}
		{approval.decision_note !== null && (
			<Fact name="Note">
				<VisibleText text={approval.decision_note} />
			</Fact>
		)}
		{approval.status === 'expired' && (
			<Fact name="Expired">
				<RelativeTime instant={approval.expires_at} />, nobody had decided
			</Fact>
		)}
	</>
);

const Buttons = ({onDecide}: {onDecide: (decision: Decision) => void}) => (
	<div class="decide">
		<button type="button" class="button primary" onClick={() => onDecide('approve')}>
			Approve <kbd>a</kbd>
		</button>
		<button type="button" class="button danger" onClick={() => onDecide('reject')}>
			Reject <kbd>r</kbd>
		</button>
	</div>
);

type Props = Readonly<{approval: Approval; onDecide: (decision: Decision) => void}>;

/** All there is to know for a decision, and afterwards who made it. */
export const ApprovalDetail = ({approval, onDecide}: Props) => {
	const {server, person} = useNames();
	const isPending = approval.status === 'pending';
	return (
		<article class="card approval" aria-label={`Call of ${approval.tool_name}`}>
			<header class="card-head">
				<h2 class="tool-name">
					<VisibleText text={approval.tool_name} />
				</h2>
				<ApprovalState status={approval.status} />
			</header>
			<div class="card-body stack">
				<dl class="facts">
					<Fact name="Server">
						<a href={`/mcp/servers/${approval.mcp_server_id}`}>{server(approval.mcp_server_id)}</a>
					</Fact>
					<Fact name="Asked">
						<RelativeTime instant={approval.created_at} /> for {person(approval.user_id)}
					</Fact>
					{isPending && (
						<Fact name="Expires in">
							<Countdown until={approval.expires_at} />
						</Fact>
					)}
					{isPending && !approval.caller_waiting && (
						<Fact name="Caller">has gone; the same call will use what you decide</Fact>
					)}
					<Outcome approval={approval} person={person} />
				</dl>
				<Arguments key={approval.id} approval={approval} />
			</div>
			{isPending && <Buttons onDecide={onDecide} />}
		</article>
	);
};

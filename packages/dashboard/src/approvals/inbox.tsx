import type {Approval} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {useResource} from '../live/use-resource.ts';
import {Empty} from '../parts/empty.tsx';
import {ErrorNotice} from '../parts/error-notice.tsx';
import {useKeys} from '../parts/keys.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {client} from '../session/client.ts';
import {ApprovalDetail} from './approval-detail.tsx';
import {type Decision, DecisionDialog} from './decision.tsx';
import {InboxList} from './inbox-list.tsx';
import {useSelection} from './selection.ts';
import {useWaitingApprovals} from './waiting-approvals.ts';

type Asked = Readonly<{decision: Decision; approvals: readonly Approval[]}>;

/** The one that is read stays in view when others come and go, also once somebody else has decided it. */
const Selected = ({shown, onDecide}: {shown: Approval; onDecide: (approval: Approval, decision: Decision) => void}) => {
	const {id} = shown;
	const {data = shown} = useResource(`approval/${id}`, () => client.mcp.approvals.get({path: {id}}), [
		'approval.decided',
	]);
	return <ApprovalDetail approval={data} onDecide={(decision) => onDecide(data, decision)} />;
};

const Nothing = () => (
	<div class="card">
		<Empty icon="approvals" title="Nothing waits for you">
			<p>
				When an agent calls a tool that needs approval, the call waits here until somebody decides, or until it expires.
				Which calls those are is a rule of the server: <a href="/mcp">choose one</a> and turn approvals on.
			</p>
		</Empty>
	</div>
);

const Loading = () => (
	<div class="inbox">
		<div class="card card-body inbox-list">
			<div class="card-body">
				<Skeleton lines={6} label="Loading approvals" />
			</div>
		</div>
	</div>
);

type BulkProps = Readonly<{count: number; marked: number; onReject: () => void; onMarkAll: () => void}>;

const Bulk = ({count, marked, onReject, onMarkAll}: BulkProps) => (
	<div class="row apart bulk">
		<span class="small soft number" role="status">
			{count === 0 ? 'Nothing waits' : `${count} waiting`}
		</span>
		<span class="row">
			{marked > 0 && (
				<button type="button" class="button small danger" onClick={onReject}>
					Reject {marked} marked
				</button>
			)}
			<button type="button" class="button small quiet" onClick={onMarkAll} disabled={count === 0}>
				{marked > 0 && marked === count ? 'Mark none' : 'Mark all'}
			</button>
		</span>
	</div>
);

const useInbox = () => {
	const {data, error, reload, change} = useWaitingApprovals();
	const list = data ?? [];
	const {shown, choose, step, marked, mark, markAll} = useSelection(list);
	const [asked, setAsked] = useState<Asked>();
	const ask = (decision: Decision, approvals: readonly (Approval | undefined)[]): void => {
		const pending = approvals.filter((each) => list.some(({id}) => id === each?.id)) as readonly Approval[];
		if (pending.length > 0) setAsked({decision, approvals: pending});
	};
	const chosen = list.filter(({id}) => marked.has(id));
	const rejectChosen = (): void => ask('reject', chosen.length > 0 ? chosen : [shown]);
	useKeys([
		{key: 'j', does: 'Next call', run: () => step(1)},
		{key: 'k', does: 'Previous call', run: () => step(-1)},
		{key: 'a', does: 'Approve the call in view', run: () => ask('approve', [shown])},
		{key: 'r', does: 'Reject the call in view, or all marked ones', run: rejectChosen},
		{key: 'x', does: 'Mark the call in view', run: () => shown && mark(shown.id)},
	]);
	const settle = (gone: readonly Approval[]): void => {
		const left = list.filter(({id}) => !gone.some((each) => each.id === id));
		const at = list.findIndex(({id}) => id === shown?.id);
		choose((left[at] ?? left.at(-1))?.id);
		change(() => left);
		reload();
	};
	const close = (): void => setAsked(undefined);
	return {data, list, error, reload, shown, choose, marked, mark, markAll, asked, ask, rejectChosen, settle, close};
};

export const Inbox = () => {
	const {data, list, error, reload, shown, ...inbox} = useInbox();
	if (data === undefined) return error === undefined ? <Loading /> : <ErrorNotice error={error} retry={reload} />;
	const {marked, mark, markAll, choose, ask, asked} = inbox;
	const bulk = {count: list.length, marked: marked.size, onReject: inbox.rejectChosen, onMarkAll: markAll};
	return (
		<>
			{error !== undefined && <ErrorNotice error={error} retry={reload} />}
			{shown === undefined ? (
				<Nothing />
			) : (
				<div class="inbox">
					<div class="stack tight">
						<Bulk {...bulk} />
						{list.length > 0 && (
							<InboxList approvals={list} selected={shown.id} marked={marked} onSelect={choose} onMark={mark} />
						)}
					</div>
					<div class="inbox-detail">
						<Selected key={shown.id} shown={shown} onDecide={(approval, decision) => ask(decision, [approval])} />
					</div>
				</div>
			)}
			{asked && <DecisionDialog {...asked} onDecided={inbox.settle} onClose={inbox.close} />}
		</>
	);
};

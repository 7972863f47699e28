import type {Approval} from '@signalbox/client-sdk';
import {Dialog} from '../parts/dialog.tsx';
import {Form, TextField, textOf} from '../parts/form.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {showDone} from '../parts/toasts.tsx';
import {client} from '../session/client.ts';

export type Decision = 'approve' | 'reject';

type Props = Readonly<{
	decision: Decision;
	/** What is decided: as it was when it was asked, whatever the list behind shows by now. */
	approvals: readonly Approval[];
	onDecided: (decided: readonly Approval[]) => void;
	onClose: () => void;
}>;

const words = {
	approve: {title: 'Approve', done: 'Approved', hint: 'Kept with the decision; optional.', action: 'Approve and run'},
	reject: {title: 'Reject', done: 'Rejected', hint: 'The agent reads it: say what to do instead.', action: 'Reject'},
};

const decide = async (decision: Decision, {id}: Approval, note: string): Promise<Approval> =>
	client.mcp.approvals[decision]({path: {id}, body: note === '' ? {} : {note}});

const Subject = ({approvals: [first, ...others]}: Pick<Props, 'approvals'>) => (
	<p>
		<code>
			<VisibleText text={first?.tool_name ?? ''} />
		</code>
		{others.length > 0 && ` and ${others.length} more`}
	</p>
);

/** Asks for the decision once more, with a note. Enter in the note decides. */
export const DecisionDialog = ({decision, approvals, onDecided, onClose}: Props) => {
	const {title, done, hint, action} = words[decision];
	const submit = async (values: FormData): Promise<void> => {
		const note = textOf(values, 'note');
		const results = await Promise.allSettled(approvals.map((approval) => decide(decision, approval, note)));
		const decided = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
		if (decided.length > 0) {
			showDone(decided.length === 1 ? `${done}: ${decided[0]?.tool_name}` : `${done}: ${decided.length} calls`);
			onDecided(decided);
		}
		const failed = results.find((result) => result.status === 'rejected');
		if (failed) throw failed.reason;
		onClose();
	};
	return (
		<Dialog
			title={approvals.length > 1 ? `${title} ${approvals.length} calls` : `${title} this call`}
			onClose={onClose}
		>
			<Subject approvals={approvals} />
			<Form action={action} tone={decision === 'reject' ? 'danger' : 'primary'} submit={submit} onCancel={onClose}>
				<TextField name="note" label="Note" hint={hint} maxLength={1000} autocomplete="off" autofocus />
			</Form>
		</Dialog>
	);
};

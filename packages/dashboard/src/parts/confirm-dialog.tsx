import type {ComponentChildren} from 'preact';
import {useState} from 'preact/hooks';
import {Dialog} from './dialog.tsx';
import {ErrorNotice} from './error-notice.tsx';

type Props = Readonly<{
	title: string;
	/** What the button says that does it. */
	action: string;
	onConfirm: () => Promise<unknown>;
	onClose: () => void;
	children: ComponentChildren;
}>;

/** Asks before something that cannot be taken back. */
export const ConfirmDialog = ({title, action, onConfirm, onClose, children}: Props) => {
	const [busy, setBusy] = useState(false);
	const [error, setError] = useState<unknown>();
	const confirm = async (): Promise<void> => {
		setBusy(true);
		try {
			await onConfirm();
			onClose();
		} catch (thrown) {
			setError(thrown);
			setBusy(false);
		}
	};
	return (
		<Dialog title={title} onClose={onClose}>
			<div class="soft">{children}</div>
			{error !== undefined && <ErrorNotice error={error} />}
			<div class="dialog-actions">
				<button type="button" class="button" onClick={onClose}>
					Keep it
				</button>
				<button type="button" class="button danger" disabled={busy} onClick={() => void confirm()}>
					{action}
				</button>
			</div>
		</Dialog>
	);
};

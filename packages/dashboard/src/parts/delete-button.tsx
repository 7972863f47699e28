import type {ComponentChildren} from 'preact';
import {useState} from 'preact/hooks';
import {endReading} from '../live/resource-cache.ts';
import {ConfirmDialog} from './confirm-dialog.tsx';

type Props = Readonly<{
	/** What is deleted, as people call it. */
	name: string;
	/** Its id, where the page shows nothing else: the page reads it no more. */
	id?: string;
	/** What the button in the page says. */
	label?: string;
	/** What the button in the question says. */
	action?: string;
	/** In the row of a list, where there are many of them. */
	small?: boolean;
	onDelete: () => Promise<unknown>;
	/** What goes with it. */
	children: ComponentChildren;
}>;

/** Deletes something, after one question. */
export const DeleteButton = ({name, id, label = 'Delete', action, small = false, onDelete, children}: Props) => {
	const [isAsked, ask] = useState(false);
	return (
		<>
			<button type="button" class={small ? 'button quiet small' : 'button danger'} onClick={() => ask(true)}>
				{label}
			</button>
			{isAsked && (
				<ConfirmDialog
					title={`${label} ${name}?`}
					action={action ?? (small ? `${label} it` : `${label} for good`)}
					onConfirm={id === undefined ? onDelete : () => endReading(id, onDelete)}
					onClose={() => ask(false)}
				>
					{children}
				</ConfirmDialog>
			)}
		</>
	);
};

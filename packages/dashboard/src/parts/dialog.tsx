import type {ComponentChildren} from 'preact';
import {useEffect, useId, useRef} from 'preact/hooks';

type Props = Readonly<{
	title: string;
	wide?: boolean;
	/** Closed by its buttons alone: what it shows is not shown again. */
	firm?: boolean;
	onClose: () => void;
	children: ComponentChildren;
}>;

/** A question in front of the page. Escape and a click beside it close it. */
export const Dialog = ({title, wide = false, firm = false, onClose, children}: Props) => {
	const dialog = useRef<HTMLDialogElement>(null);
	const name = useId();
	useEffect(() => {
		dialog.current?.showModal();
	}, []);
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
		<dialog
			ref={dialog}
			class={wide ? 'dialog wide' : 'dialog'}
			aria-labelledby={name}
			onClose={onClose}
			onCancel={(event) => {
				if (firm) event.preventDefault();
			}}
			onClick={(event) => {
				if (!firm && event.target === dialog.current) dialog.current?.close();
			}}
		>
			<div class="inside">
				<h2 id={name}>{title}</h2>
				{children}
			</div>
		</dialog>
	);
};

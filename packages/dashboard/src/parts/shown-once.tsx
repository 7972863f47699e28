import type {ComponentChildren} from 'preact';
import {CodeLine} from './copy-button.tsx';
import {Dialog} from './dialog.tsx';

type Props = Readonly<{title: string; text: string; onClose: () => void; children: ComponentChildren}>;

/** A secret to take along: only its button closes it. */
export const ShownOnce = ({title, text, onClose, children}: Props) => (
	<Dialog title={title} firm onClose={onClose}>
		<p class="soft">{children}</p>
		<CodeLine text={text} />
		<div class="dialog-actions">
			<button type="button" class="button primary" onClick={onClose}>
				I have it
			</button>
		</div>
	</Dialog>
);

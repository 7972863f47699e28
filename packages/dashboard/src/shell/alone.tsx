import type {ComponentChildren} from 'preact';
import mark from './favicon.svg';

/** A page without navigation: there is nowhere to go yet. */
export const Alone = ({title, lead, children}: {title: string; lead?: string; children: ComponentChildren}) => (
	<main class="alone">
		<div class="sheet">
			<div class="stack tight">
				<span class="brand">
					<img src={mark} alt="" width={24} height={24} />
					Signalbox
				</span>
				<h1>{title}</h1>
				{lead !== undefined && <p class="soft">{lead}</p>}
			</div>
			{children}
		</div>
	</main>
);

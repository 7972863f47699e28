import '../parts/layout.css';
import './cron.css';
import type {ComponentChildren} from 'preact';
import {Crumb} from '../parts/crumb.tsx';

type Props = Readonly<{
	back: Readonly<{href: string; label: string}>;
	title: string;
	lead?: string;
	children: ComponentChildren;
}>;

/** A page that is a form. */
export const FormPage = ({back, title, lead, children}: Props) => (
	<div class="page">
		<div class="page-head">
			<div>
				<Crumb {...back} />
				<h1>{title}</h1>
				{lead !== undefined && <p class="lead">{lead}</p>}
			</div>
		</div>
		{children}
	</div>
);

export const FormCard = ({children}: {children: ComponentChildren}) => (
	<div class="card form-card">
		<div class="card-body">{children}</div>
	</div>
);

import type {ComponentChildren} from 'preact';
import {Icon, type IconGlyph} from './icon.tsx';

/** Nothing is here yet: says why, and what would change that. */
export const Empty = ({icon, title, children}: {icon: IconGlyph; title: string; children?: ComponentChildren}) => (
	<div class="empty">
		<Icon name={icon} />
		<h2>{title}</h2>
		{children}
	</div>
);

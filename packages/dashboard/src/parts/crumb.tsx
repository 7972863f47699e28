import {Icon} from './icon.tsx';

/** The way back to what this page is a part of. */
export const Crumb = ({href, label}: {href: string; label: string}) => (
	<a class="crumb" href={href}>
		<Icon name="back" />
		{label}
	</a>
);

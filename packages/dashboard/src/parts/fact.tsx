import type {ComponentChildren} from 'preact';

/** A line of a list of facts: what it is, and how it is. */
export const Fact = ({name, children}: {name: string; children: ComponentChildren}) => (
	<>
		<dt>{name}</dt>
		<dd>{children}</dd>
	</>
);

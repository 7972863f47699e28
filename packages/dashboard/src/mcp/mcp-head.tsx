import './mcp.css';
import type {ComponentChildren} from 'preact';
import {Tabs} from '../parts/tabs.tsx';

const tabs = [
	{path: '/mcp', label: 'Servers'},
	{path: '/mcp/calls', label: 'Calls'},
	{path: '/mcp/metrics', label: 'Metrics'},
] as const;

type Props = Readonly<{tab: (typeof tabs)[number]['path']; children?: ComponentChildren}>;

/** The top of the pages about tool servers. */
export const McpHead = ({tab, children}: Props) => (
	<>
		<div class="page-head">
			<h1>MCP</h1>
			<div class="row">{children}</div>
		</div>
		<Tabs label="MCP" tabs={tabs} current={tab} />
	</>
);

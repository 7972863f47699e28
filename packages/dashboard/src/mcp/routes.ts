import type {Area} from '../area.ts';

export const mcp: Area = {
	name: 'MCP',
	nav: {path: '/mcp', icon: 'mcp'},
	pages: [
		{path: '/mcp', title: 'Servers', load: () => import('./servers-page.tsx')},
		{path: '/mcp/new', title: 'New server', load: () => import('./new-server-page.tsx')},
		{path: '/mcp/servers/:id', title: 'Server', load: () => import('./server-page.tsx')},
		{path: '/mcp/servers/:id/edit', title: 'Edit server', load: () => import('./edit-server-page.tsx')},
		{path: '/mcp/calls', title: 'Calls', load: () => import('./calls-page.tsx')},
		{path: '/mcp/calls/:id', title: 'Call', load: () => import('./call-page.tsx')},
		{path: '/mcp/metrics', title: 'Metrics', load: () => import('./metrics-page.tsx')},
	],
};

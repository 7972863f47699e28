import type {Area} from '../area.ts';

export const webhooks: Area = {
	name: 'Webhooks',
	nav: {path: '/webhooks', icon: 'webhooks'},
	pages: [
		{path: '/webhooks', title: 'Endpoints', load: () => import('./endpoints-page.tsx')},
		{path: '/webhooks/new', title: 'New endpoint', load: () => import('./new-endpoint-page.tsx')},
		{path: '/webhooks/events', title: 'Events', load: () => import('./events-page.tsx')},
		{path: '/webhooks/events/:id', title: 'Event', load: () => import('./event-page.tsx')},
		{path: '/webhooks/endpoints/:id', title: 'Pipeline', load: () => import('./pipeline-page.tsx')},
		{path: '/webhooks/endpoints/:id/routing', title: 'Routing', load: () => import('./routing-page.tsx')},
		{path: '/webhooks/endpoints/:id/settings', title: 'Settings', load: () => import('./settings-page.tsx')},
	],
};

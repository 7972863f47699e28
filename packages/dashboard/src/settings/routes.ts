import type {Area} from '../area.ts';

export const settings: Area = {
	name: 'Settings',
	nav: {path: '/settings', icon: 'settings'},
	pages: [
		{path: '/settings', title: 'Variables', load: () => import('./variables-page.tsx')},
		{path: '/settings/api-keys', title: 'API keys', load: () => import('./api-keys-page.tsx')},
		{path: '/settings/agents', title: 'Agents', load: () => import('./agents-page.tsx')},
		{path: '/settings/team', title: 'Team', load: () => import('./team-page.tsx')},
		{path: '/settings/notifications', title: 'Notifications', load: () => import('./notifications-page.tsx')},
		{path: '/settings/channels', title: 'Channels', load: () => import('./channels-page.tsx')},
		{path: '/settings/account', title: 'Account', load: () => import('./account-page.tsx')},
	],
};

import type {Area} from '../area.ts';

export const approvals: Area = {
	name: 'Approvals',
	nav: {path: '/approvals', icon: 'approvals'},
	pages: [
		{path: '/approvals', title: 'Inbox', load: () => import('./inbox-page.tsx')},
		{path: '/approvals/:id', title: 'Approval', load: () => import('./approval-page.tsx')},
	],
};

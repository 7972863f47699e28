import type {Area} from '../area.ts';

export const cron: Area = {
	name: 'Cron',
	nav: {path: '/cron', icon: 'cron'},
	pages: [
		{path: '/cron', title: 'Jobs', load: () => import('./jobs-page.tsx')},
		{path: '/cron/calendar', title: 'Calendar', load: () => import('./calendar-page.tsx')},
		{path: '/cron/runs', title: 'Runs', load: () => import('./runs-page.tsx')},
		{path: '/cron/runs/:id', title: 'Run', load: () => import('./run-page.tsx')},
		{path: '/cron/jobs/new', title: 'New job', load: () => import('./new-job-page.tsx')},
		{path: '/cron/jobs/:id', title: 'Job', load: () => import('./job-page.tsx')},
		{path: '/cron/jobs/:id/edit', title: 'Change a job', load: () => import('./edit-job-page.tsx')},
		{path: '/cron/chains', title: 'Chains', load: () => import('./chains-page.tsx')},
		{path: '/cron/chains/new', title: 'New chain', load: () => import('./new-chain-page.tsx')},
		{path: '/cron/chains/:id', title: 'Chain', load: () => import('./chain-page.tsx')},
		{path: '/cron/chains/:id/edit', title: 'Change a chain', load: () => import('./edit-chain-page.tsx')},
		{path: '/cron/chain-runs/:id', title: 'Run of a chain', load: () => import('./chain-run-page.tsx')},
	],
};

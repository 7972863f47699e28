import type {Area} from '../area.ts';

export const start: Area = {
	name: 'Signalbox',
	pages: [
		{path: '/', title: 'Start', load: () => import('./start-page.tsx')},
		{path: '/sign-in', title: 'Sign in', load: () => import('./sign-in-page.tsx'), access: 'anyone'},
		{path: '/register', title: 'Register', load: () => import('./register-page.tsx'), access: 'anyone'},
	],
};

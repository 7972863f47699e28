import {useEffect} from 'preact/hooks';
import {ErrorBoundary, LocationProvider, lazy, Route, Router, useLocation} from 'preact-iso';
import type {Area, Page} from '../area.ts';
import {areas} from '../areas.ts';
import {ErrorNotice} from '../parts/error-notice.tsx';
import {Toasts} from '../parts/toasts.tsx';
import {restoreSession, session} from '../session/session.ts';
import {Alone} from './alone.tsx';
import {NotFoundPage} from './not-found-page.tsx';
import {Shell} from './shell.tsx';
import {pageTitle} from './title.ts';

/** Paths of the application; everything else of this origin (the API's reference) is the browser's. */
const ours = /^\/(?!docs(\/|$)|openapi\.)/;

/** Its code did not come. Where the server was upgraded, only a window that is loaded anew asks for what there is now. */
const NotLoadedPage = () => (
	<div class="page">
		<ErrorNotice
			error="The page could not be loaded: Signalbox does not answer, or was upgraded."
			retry={() => location.reload()}
		/>
	</div>
);

const withTitle = (area: Area, page: Page) => async () => {
	const {default: Content} = await page.load().catch(() => ({default: NotLoadedPage}));
	return () => {
		useEffect(() => {
			pageTitle.value = `${page.title} · ${area.name}`;
		}, []);
		return <Content />;
	};
};

const routed = areas.flatMap((area) => area.pages.map((page) => ({...page, component: lazy(withTitle(area, page))})));

const pagesFor = (access: 'anyone' | undefined) =>
	routed
		.filter((page) => page.access === access)
		.map(({path, component}) => <Route key={path} path={path} component={component} />);

const openPages = pagesFor('anyone');
const ownPages = pagesFor(undefined);

const firstPage = '/approvals';
const isOpen = (path: string): boolean => routed.some((page) => page.access === 'anyone' && page.path === path);

/** Where to go after signing in: the page that was asked for. */
const wantedOf = (url: string): string => {
	const next = new URL(url, location.origin).searchParams.get('next') ?? '';
	// Only what the browser makes of it says where it leads: it drops tabs and line ends, and takes `\` for `/`.
	const wanted = next.startsWith('/') ? URL.parse(next, location.origin) : null;
	if (wanted?.origin !== location.origin || /^\/(\/|$)/.test(wanted.pathname)) return firstPage;
	return wanted.pathname + wanted.search + wanted.hash;
};

const Pages = () => {
	const {path, url, route} = useLocation();
	const {state} = session.value;
	const elsewhere =
		state === 'signed-out' && !isOpen(path)
			? `/sign-in${url === '/' ? '' : `?next=${encodeURIComponent(url)}`}`
			: state === 'signed-in' && isOpen(path)
				? wantedOf(url)
				: undefined;
	useEffect(() => {
		if (elsewhere !== undefined) route(elsewhere, true);
	}, [elsewhere, route]);
	if (state === 'unknown' || elsewhere !== undefined) return <Shell />;
	if (session.value.state === 'unreachable')
		return (
			<Alone title="Signalbox does not answer">
				<ErrorNotice error={session.value.error} retry={() => void restoreSession()} />
			</Alone>
		);
	if (state === 'signed-out') return <Router>{openPages}</Router>;
	return (
		<Shell>
			<Router>
				{ownPages}
				<Route default component={NotFoundPage} />
			</Router>
		</Shell>
	);
};

export const App = () => (
	<LocationProvider scope={ours}>
		<ErrorBoundary>
			<Pages />
		</ErrorBoundary>
		<Toasts />
	</LocationProvider>
);

import type {ComponentChildren} from 'preact';
import {useEffect} from 'preact/hooks';
import {useLocation} from 'preact-iso';
import {useWaitingApprovals} from '../approvals/waiting-approvals.ts';
import {areas} from '../areas.ts';
import {startLive} from '../live/live.ts';
import {epoch} from '../live/resource-cache.ts';
import {Icon} from '../parts/icon.tsx';
import {KeyHelp} from '../parts/keys.tsx';
import {session} from '../session/session.ts';
import {AccountMenu} from './account-menu.tsx';
import {noticeWaiting} from './desktop-notices.ts';
import mark from './favicon.svg';
import {waiting} from './title.ts';

/** The number in the title and beside the navigation, and notices while the page is behind others. */
const useWaiting = (): void => {
	const {data} = useWaitingApprovals();
	useEffect(() => {
		waiting.value = data?.length ?? 0;
		if (data) noticeWaiting(data);
		return () => {
			waiting.value = 0;
		};
	}, [data]);
};

/** What goes on behind every page of somebody who is signed in. */
const Behind = () => {
	useWaiting();
	const era = epoch.value;
	useEffect(startLive, [era]);
	return null;
};

const Navigation = ({path}: {path: string}) => (
	<nav class="nav" aria-label="Areas">
		{areas.map(
			({name, nav}) =>
				nav && (
					<a key={name} href={nav.path} aria-current={path.startsWith(nav.path) ? 'true' : undefined}>
						<Icon name={nav.icon} />
						<span>{name}</span>
						{nav.icon === 'approvals' && waiting.value > 0 && (
							<span class="count">
								{waiting.value}
								<span class="visually-hidden"> waiting</span>
							</span>
						)}
					</a>
				),
		)}
	</nav>
);

/** The frame of every page: where one can go, who one is, and the page. */
export const Shell = ({children}: {children?: ComponentChildren}) => {
	const {path} = useLocation();
	const signedIn = session.value.state === 'signed-in';
	return (
		<div class="shell">
			<a class="skip-link" href="#main">
				Skip to the page
			</a>
			<header class="sidebar">
				<a class="brand" href="/approvals">
					<img src={mark} alt="" width={24} height={24} />
					Signalbox
				</a>
				<Navigation path={path} />
				<div class="sidebar-foot">{signedIn && <AccountMenu />}</div>
			</header>
			<main class="main" id="main" tabIndex={-1}>
				{children}
			</main>
			{signedIn && <Behind />}
			<KeyHelp />
		</div>
	);
};

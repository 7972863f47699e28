import {useRef} from 'preact/hooks';
import {Icon, type IconGlyph} from '../parts/icon.tsx';
import {showProblem} from '../parts/toasts.tsx';
import {chooseTeam, session, signOut} from '../session/session.ts';
import {chooseTheme, type Theme, theme} from './theme.ts';

const themes: readonly Readonly<{theme: Theme; icon: IconGlyph; label: string}>[] = [
	{theme: 'system', icon: 'system', label: 'As the system'},
	{theme: 'light', icon: 'light', label: 'Light'},
	{theme: 'dark', icon: 'dark', label: 'Dark'},
];

const Checked = ({when}: {when: boolean}) => (when ? <Icon name="check" class="push" /> : null);

const Teams = () => {
	const state = session.value;
	if (state.state !== 'signed-in' || state.teams.length < 2) return null;
	return (
		<>
			<p class="menu-head">Team</p>
			{state.teams.map(({id, name}) => (
				<button
					key={id}
					type="button"
					class="menu-item"
					aria-pressed={id === state.user.active_team_id}
					onClick={() => void chooseTeam(id).catch(showProblem)}
				>
					<Icon name="team" />
					<span class="truncate">{name}</span>
					<Checked when={id === state.user.active_team_id} />
				</button>
			))}
		</>
	);
};

const Themes = () => (
	<>
		<p class="menu-head">Appearance</p>
		{themes.map((each) => (
			<button
				key={each.theme}
				type="button"
				class="menu-item"
				aria-pressed={theme.value === each.theme}
				onClick={() => chooseTheme(each.theme)}
			>
				<Icon name={each.icon} />
				{each.label}
				<Checked when={theme.value === each.theme} />
			</button>
		))}
	</>
);

/** Places a popover beside the button that opens it; CSS anchors are not in every browser yet. */
const place = (button: HTMLElement, popover: HTMLElement): void => {
	const {left, top, bottom, right} = button.getBoundingClientRect();
	const {offsetWidth, offsetHeight} = popover;
	const below = bottom + offsetHeight + 12 < innerHeight;
	popover.style.top = `${below ? bottom + 6 : Math.max(8, top - offsetHeight - 6)}px`;
	popover.style.left = `${Math.max(8, left + offsetWidth + 8 > innerWidth ? right - offsetWidth : left)}px`;
};

/** Who is signed in, for which team, and how pages look. */
export const AccountMenu = () => {
	const button = useRef<HTMLButtonElement>(null);
	const popover = useRef<HTMLDivElement>(null);
	const state = session.value;
	if (state.state !== 'signed-in') return null;
	const {user, teams} = state;
	const team = teams.find(({id}) => id === user.active_team_id)?.name ?? '';
	const name = user.name ?? user.email;
	return (
		<>
			<button ref={button} type="button" class="who" popovertarget="account-menu">
				<span class="visually-hidden">Account</span>
				<span class="initial" aria-hidden="true">
					{[...name][0]?.toUpperCase()}
				</span>
				<span class="names">
					<span class="visually-hidden">Account: </span>
					<span class="truncate">{name}</span>
					<span class="truncate small faint">{team}</span>
				</span>
				<Icon name="choose" />
			</button>
			<div
				ref={popover}
				id="account-menu"
				class="popover"
				popover="auto"
				onToggle={() => {
					if (button.current && popover.current) place(button.current, popover.current);
				}}
			>
				<p class="menu-head truncate">{user.email}</p>
				<Teams />
				<Themes />
				<a class="menu-item" href="/docs" target="_blank" rel="noreferrer">
					<Icon name="docs" />
					API reference
				</a>
				<button type="button" class="menu-item" onClick={() => void signOut().catch(showProblem)}>
					<Icon name="sign-out" />
					Sign out
				</button>
			</div>
		</>
	);
};

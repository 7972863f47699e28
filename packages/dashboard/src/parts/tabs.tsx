import {useEffect, useRef} from 'preact/hooks';

export type Tab = Readonly<{path: string; label: string}>;

/** Leads to the pages beside this one. Where there is no room for all, the current one is in view. */
export const Tabs = ({label, tabs, current}: {label: string; tabs: readonly Tab[]; current: string}) => {
	const frame = useRef<HTMLElement>(null);
	useEffect(() => {
		const [tab, list] = [frame.current?.querySelector<HTMLElement>('[aria-current]'), frame.current];
		if (tab && list) list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
	}, [current]);
	return (
		<nav ref={frame} class="tabs" aria-label={label}>
			{tabs.map((tab) => (
				<a key={tab.path} href={tab.path} aria-current={tab.path === current ? 'page' : undefined}>
					{tab.label}
				</a>
			))}
		</nav>
	);
};

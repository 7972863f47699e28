import {
	ArrowDown,
	ArrowUp,
	Bell,
	Bot,
	Braces,
	Check,
	ChevronLeft,
	ChevronRight,
	ChevronsUpDown,
	CircleHelp,
	Clock,
	Copy,
	ExternalLink,
	GripVertical,
	type IconNode,
	Inbox,
	Info,
	Key,
	LogOut,
	Monitor,
	Moon,
	Pencil,
	Play,
	Plug,
	Plus,
	RefreshCw,
	Search,
	Settings,
	Sun,
	Trash2,
	TriangleAlert,
	Users,
	Webhook,
	X,
} from 'lucide';
import {h} from 'preact';
import type {IconName} from '../area.ts';

const shared = {
	check: Check,
	close: X,
	copy: Copy,
	add: Plus,
	remove: Trash2,
	raise: ArrowUp,
	warning: TriangleAlert,
	info: Info,
	help: CircleHelp,
	search: Search,
	back: ChevronLeft,
	forward: ChevronRight,
	choose: ChevronsUpDown,
	reload: RefreshCw,
	up: ArrowUp,
	down: ArrowDown,
	drag: GripVertical,
	edit: Pencil,
	run: Play,
	external: ExternalLink,
	docs: ExternalLink,
	bell: Bell,
	team: Users,
	key: Key,
	variable: Braces,
	agent: Bot,
	light: Sun,
	dark: Moon,
	system: Monitor,
	'sign-out': LogOut,
};

const ofAreas: Readonly<Record<IconName, IconNode>> = {
	approvals: Inbox,
	mcp: Plug,
	webhooks: Webhook,
	cron: Clock,
	settings: Settings,
};

export type IconGlyph = IconName | keyof typeof shared;

const glyphs: Readonly<Record<string, IconNode>> = {...shared, ...ofAreas};

/** A drawing beside words: it says nothing by itself, and is not read out. */
export const Icon = ({name, class: extra = ''}: {name: IconGlyph; class?: string}) => (
	<svg class={`icon ${extra}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
		{glyphs[name]?.map(([tag, attributes], at) => h(tag, {...attributes, key: at}))}
	</svg>
);

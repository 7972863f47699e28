import type {ComponentType} from 'preact';

/** One page, whose code is loaded when somebody goes there. */
export type Page = Readonly<{
	/** As preact-iso reads it: `/approvals/:id`. The server answers the application under these paths and no others. */
	path: string;
	/** Before the area's name in the title of the window. */
	title: string;
	load(): Promise<{default: ComponentType}>;
	/** Who may see it. Default: somebody who is signed in. */
	access?: 'anyone';
}>;

export type IconName = 'approvals' | 'mcp' | 'webhooks' | 'cron' | 'settings';

/** A folder of pages. */
export type Area = Readonly<{
	name: string;
	/** Where the navigation leads; undefined: it does not show the area. */
	nav?: Readonly<{path: string; icon: IconName}>;
	pages: readonly Page[];
}>;

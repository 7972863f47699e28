export const contestantNames = [
	'direct',
	'http-proxy',
	'nginx',
	'mcp-proxy',
	'mcp-proxy stdio',
	'least',
	'least with a log',
	'ours',
	'ours on MariaDB',
] as const;
export type ContestantName = (typeof contestantNames)[number];

export const isMcpProxy = (name: ContestantName): boolean => name.startsWith('mcp-proxy');

/** Answers that a client had, over that many connections. */
export type Counted = Readonly<{requests: number; connections: number}>;

export type Contestant = Readonly<{
	name: ContestantName;
	url: string;
	/** Undefined for the way without a proxy. */
	pid: number | undefined;
	version: string;
	/** @throws Error when what the contestant says to have done does not fit the answers. */
	audit(counted: Counted): Promise<void>;
	stop(): Promise<void>;
}>;

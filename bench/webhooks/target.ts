import type {EngineName} from '../engine.ts';

export const targetNames = [
	'ours',
	'ours, fan-out 3',
	'ours on MariaDB',
	'ours on MariaDB, fan-out 3',
	'BullMQ',
	'Node-RED',
	'plain',
	'least',
	'least, our tables',
	'ours, accept alone',
	'ours on MariaDB, accept alone',
	'one insert per event',
	'least, accept alone',
] as const;
export type TargetName = (typeof targetNames)[number];

/** What keeps the records of one of ours. */
export const engineOf = (name: TargetName): EngineName => (name.includes('MariaDB') ? 'mariadb' : 'sqlite');

/** A door that takes webhooks. */
export type Target = Readonly<{
	name: TargetName;
	/** What comes in here goes to the paths of the sink that begin like this. */
	url: string;
	pid: number;
	/** To how many destinations a webhook goes. */
	fanOut: number;
	/** @throws Error when what is on record does not fit what was answered and what arrived. */
	audit(counted: Counted): Promise<void>;
}>;

/** Webhooks that were answered 202, over that many connections. */
export type Counted = Readonly<{accepted: number; connections: number}>;

/** A program with one or more doors. */
export type Contestant = Readonly<{
	version: string;
	targets: readonly Target[];
	/** Where what is paced goes in; its arrivals are told one by one. */
	paced: Pick<Target, 'name' | 'url'> | undefined;
	stop(): Promise<void>;
}>;

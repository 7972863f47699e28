import type {Team} from '../../accounts/model/team.ts';
import type {UserRecord} from '../../accounts/model/user.ts';
import {DomainError} from '../../errors.ts';
import type {ApprovalRecord} from '../../mcp/model/approval.ts';
import type {McpCallEntry} from '../../mcp/model/call.ts';
import type {McpServerRecord} from '../../mcp/model/server.ts';
import type {NewApproval, Stores} from '../../ports/index.ts';
import type {Instant} from '../../values/instant.ts';
import {buildAccount, buildMembership, buildTeam} from '../builders/accounts.ts';
import {buildCallEntry, buildNewApproval, buildServer} from '../builders/mcp.ts';

/** An account as the viewer of its own things: its user, and its personal team. */
export type Tenant = Readonly<{
	user: UserRecord;
	team: Team;
	user_id: string;
	team_id: string;
	team_ids: readonly string[];
}>;

/** What a case starts from: empty stores, their clock, and quick ways to fill them. */
export type ContractWorld<S extends Stores = Stores> = Readonly<{
	stores: S;
	/**
	 * Moves the store's clock by whole seconds. Leave room around an edge: between two calls an adapter on a real
	 * database lets real time pass too.
	 */
	advance(seconds: number): Promise<void>;
	now(): Instant;
	addTenant(fields?: Partial<UserRecord>): Promise<Tenant>;
	/** A team that is not personal. */
	addTeam(owner: Tenant, fields?: Partial<Team>): Promise<Team>;
	addServer(owner: Tenant, fields?: Partial<McpServerRecord>): Promise<McpServerRecord>;
	addCall(server: McpServerRecord, fields?: Partial<McpCallEntry>): Promise<McpCallEntry>;
	addApproval(server: McpServerRecord, fields?: Partial<NewApproval>): Promise<ApprovalRecord>;
}>;

const addTenant = async (stores: Stores, fields: Partial<UserRecord>): Promise<Tenant> => {
	const {user, team} = buildAccount(fields);
	await stores.users.create({user, team});
	return {user, team, user_id: user.id, team_id: team.id, team_ids: [team.id]};
};

const addTeam = async (stores: Stores, owner: Tenant, fields: Partial<Team>): Promise<Team> => {
	const team = buildTeam(fields);
	await stores.teams.create(team, buildMembership({team_id: team.id, user_id: owner.user_id, role: 'owner'}), 1000);
	return team;
};

const addServer = async (stores: Stores, owner: Tenant, fields: Partial<McpServerRecord>) => {
	const server = buildServer({user_id: owner.user_id, team_id: owner.team_id, ...fields});
	await stores.mcpServers.create(server, null);
	return server;
};

const addCall = async (stores: Stores, server: McpServerRecord, fields: Partial<McpCallEntry>) => {
	const entry = buildCallEntry({server, ...fields});
	await stores.callLog.append(entry);
	return entry;
};

const addApproval = async (stores: Stores, server: McpServerRecord, fields: Partial<NewApproval>) => {
	const approval = await stores.approvals.open(buildNewApproval({server, ...fields}), 1000);
	if (approval === undefined) throw new Error('an approval among fewer than 1000 was not opened');
	return approval;
};

export const createContractWorld = <S extends Stores>({
	stores,
	advance,
	now,
}: Readonly<{stores: S; advance(milliseconds: number): Promise<void>; now(): Instant}>): ContractWorld<S> => ({
	stores,
	advance: (seconds) => advance(seconds * 1000),
	now,
	addTenant: (fields = {}) => addTenant(stores, fields),
	addTeam: (owner, fields = {}) => addTeam(stores, owner, fields),
	addServer: (owner, fields = {}) => addServer(stores, owner, fields),
	addCall: (server, fields = {}) => addCall(stores, server, fields),
	addApproval: (server, fields = {}) => addApproval(stores, server, fields),
});

/** Starts that many at once. */
export const parallel = <T>(count: number, start: (index: number) => Promise<T>): Promise<T[]> =>
	Promise.all(Array.from({length: count}, (_, index) => start(index)));

/** The reason a promise rejects with a `DomainError`, or `resolved`; any other error is passed on. */
export const reasonOf = async (promise: Promise<unknown>): Promise<string> => {
	try {
		await promise;
		return 'resolved';
	} catch (error) {
		if (error instanceof DomainError) return error.reason;
		throw error;
	}
};

/** How often each answer was given. */
export const tally = (answers: readonly unknown[]): Readonly<Record<string, number>> => {
	const counts: Record<string, number> = {};
	for (const answer of answers) counts[String(answer)] = (counts[String(answer)] ?? 0) + 1;
	return counts;
};

export const idsOf = (rows: readonly Readonly<{id: string}>[]): readonly string[] => rows.map((row) => row.id);

/** Well-formed texts that storage is known to bend. */
export const awkwardTexts: readonly string[] = [
	'family 👩‍👩‍👧‍👦 and flag 🇩🇪',
	'composed \u00e9, combining e\u0301',
	'trailing blanks  ',
	'  leading blanks',
	'line\nbreaks\r\nand\ttabs',
	'\'single\' "double" `back` \\ % _ ; -- /* $1 :name ? */',
	'a\u0000b',
	'\ufeffbyte order mark',
	'עברית and العربية',
	'\u{10ffff}\uffff',
];

/** Of so many lines, no two alike, and with characters of one to four bytes: what an adapter may compress, or keep in parts. */
const longText = (lines: number): string =>
	Array.from({length: lines}, (_, index) => `${index} é ✓ 👩 ${Math.imul(index, 0x9e3779b1) >>> 0}\n`).join('');

/** From less than a page of a database to more than a chunk of what compresses. */
export const longTexts: readonly string[] = [120, 300, 3000, 12_000].map(longText);

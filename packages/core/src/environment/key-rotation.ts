import {DomainError} from '../errors.ts';
import type {Ports} from '../ports/index.ts';
import {
	channelUrlBinding,
	signingSecretBinding,
	upstreamHeadersBinding,
	variableBinding,
	verificationBinding,
} from '../values/binding.ts';
import type {Sealed} from '../values/sealed.ts';

/** Something sealed that the master keys which are set do not open. */
export type Unopened = Readonly<{
	/** What it belongs to, for people: `webhook endpoint`. */
	kind: string;
	id: string;
	/** The key that it says to be sealed by. */
	kid: string;
}>;

/** Re-encrypts everything under the current master key while readers go on; afterwards the older keys are not needed. */
export type KeyRotation = Readonly<{
	/**
	 * Answers kept for idempotency live a day: those under older keys are dropped instead.
	 * @returns how many sealed texts were sealed anew (or dropped). Safe to stop and run again.
	 * @throws conflict, whose message names the records that do not open, after everything else was sealed anew.
	 */
	rotate(): Promise<
		Readonly<{
			variables: number;
			mcp_servers: number;
			endpoint_secrets: number;
			notification_channels: number;
			idempotent_answers: number;
		}>
	>;
	/**
	 * Looks whether what is sealed opens, since a key file may be lost or left behind, or another key bear its name.
	 * @param limit how many of each kind are looked at, at most twice.
	 */
	check(limit: number): Promise<readonly Unopened[]>;
}>;

type Needs = Pick<Ports, 'variables' | 'mcpServers' | 'endpoints' | 'notificationChannels' | 'idempotency' | 'cipher'>;

type SealedRow = Readonly<{id: string; sealed: Sealed; binding: string}>;

/** One table: what still is sealed by older keys, and how to replace it. */
type Table = Readonly<{
	name: string;
	sealedOtherwise(kid: string, limit: number): Promise<readonly SealedRow[]>;
	reseal(id: string, from: Sealed, to: Sealed): Promise<boolean>;
}>;

const batchSize = 100;

const variableTable = ({variables}: Needs): Table => ({
	name: 'environment variable',
	sealedOtherwise: async (kid, limit) =>
		(await variables.sealedOtherwise(kid, limit)).map((variable) => ({
			id: variable.id,
			sealed: variable.value,
			binding: variableBinding(variable),
		})),
	reseal: variables.reseal,
});

const mcpServerTable = ({mcpServers}: Needs): Table => ({
	name: 'MCP server',
	sealedOtherwise: async (kid, limit) =>
		(await mcpServers.sealedOtherwise(kid, limit)).flatMap((server) =>
			server.upstream_headers === null
				? []
				: [{id: server.id, sealed: server.upstream_headers, binding: upstreamHeadersBinding(server)}],
		),
	reseal: mcpServers.reseal,
});

/** An endpoint holds up to three: what signs, what signed before, and how it knows its sender. */
const endpointTable = ({endpoints}: Needs): Table => ({
	name: 'webhook endpoint',
	sealedOtherwise: async (kid, limit) =>
		(await endpoints.sealedOtherwise(kid, limit)).flatMap((endpoint) => {
			const {id, signing_secret, previous_signing_secret, verification_secrets} = endpoint;
			const signing = [signing_secret, previous_signing_secret?.secret ?? null];
			return [
				...signing.map((sealed) => ({id, sealed, binding: signingSecretBinding(endpoint)})),
				{id, sealed: verification_secrets, binding: verificationBinding(endpoint)},
			].filter((row): row is SealedRow => row.sealed !== null && row.sealed.kid !== kid);
		}),
	reseal: endpoints.reseal,
});

const channelTable = ({notificationChannels}: Needs): Table => ({
	name: 'notification channel',
	sealedOtherwise: async (kid, limit) =>
		(await notificationChannels.sealedOtherwise(kid, limit)).map((channel) => ({
			id: channel.id,
			sealed: channel.url,
			binding: channelUrlBinding(channel),
		})),
	reseal: notificationChannels.reseal,
});

const reopen = ({cipher}: Needs, {sealed, binding}: SealedRow): Sealed | undefined => {
	try {
		return cipher.seal(cipher.open(sealed, binding), binding);
	} catch {
		return undefined;
	}
};

type TableOutcome = Readonly<{resealed: number; stuck: readonly string[]}>;

const rotateTable = async (needs: Needs, table: Table): Promise<TableOutcome> => {
	/** The ids of rows by their sealed text: a row may hold several. */
	const stuck = new Map<string, string>();
	let resealed = 0;
	for (;;) {
		// Rows that do not open come back each time: without room for them they would hide those behind them.
		const rows = await table.sealedOtherwise(needs.cipher.currentKid(), batchSize + stuck.size);
		const fresh = rows.filter((row) => !stuck.has(row.sealed.data));
		if (fresh.length === 0) return {resealed, stuck: [...new Set(stuck.values())].map((id) => `${table.name} ${id}`)};
		for (const row of fresh) {
			const next = reopen(needs, row);
			if (next === undefined) stuck.set(row.sealed.data, row.id);
			// Somebody who wrote meanwhile sealed a newer value: the next batch sees whether by an older key.
			else if (await table.reseal(row.id, row.sealed, next)) resealed += 1;
		}
	}
};

const tablesOf = (needs: Needs): readonly Table[] => [
	variableTable(needs),
	mcpServerTable(needs),
	endpointTable(needs),
	channelTable(needs),
];

/** No key has it: what is sealed otherwise than by it is everything. */
const noKid = '';

const checkTable = async (
	needs: Needs,
	{name, sealedOtherwise}: Table,
	limit: number,
): Promise<readonly Unopened[]> => {
	const found = [
		...(await sealedOtherwise(noKid, limit)),
		...(await sealedOtherwise(needs.cipher.currentKid(), limit)),
	];
	const closed = found.filter((row) => reopen(needs, row) === undefined);
	const unopened = closed.map(({id, sealed}) => [`${id} ${sealed.kid}`, {kind: name, id, kid: sealed.kid}] as const);
	return [...new Map(unopened).values()];
};

export const createKeyRotation = (needs: Needs): KeyRotation => ({
	rotate: async () => {
		const variables = await rotateTable(needs, variableTable(needs));
		const servers = await rotateTable(needs, mcpServerTable(needs));
		const endpoints = await rotateTable(needs, endpointTable(needs));
		const channels = await rotateTable(needs, channelTable(needs));
		const idempotent_answers = await needs.idempotency.purge(needs.cipher.currentKid());
		const stuck = [...variables.stuck, ...servers.stuck, ...endpoints.stuck, ...channels.stuck];
		if (stuck.length > 0) {
			const message = `Sealed by a master key that is not configured: ${stuck.join(', ')}`;
			throw new DomainError('conflict', {message});
		}
		return {
			variables: variables.resealed,
			mcp_servers: servers.resealed,
			endpoint_secrets: endpoints.resealed,
			notification_channels: channels.resealed,
			idempotent_answers,
		};
	},
	check: async (limit) => {
		const unopened: Unopened[] = [];
		for (const table of tablesOf(needs)) unopened.push(...(await checkTable(needs, table, limit)));
		return unopened;
	},
});

import type {Secrets} from '../ports/index.ts';

/** The call that a state belongs to: brought by any other call it is a forgery. */
export type StateOwner = Readonly<{
	mcp_server_id: string;
	caller_key: string;
	tool_name: string;
	/** Digest of the raw argument bytes. */
	arguments_digest: string;
}>;

/** What a `requestState` of ours says. */
export type RequestState = Readonly<{
	approval_id: string;
	/** How many requests its approval had let through when it was given: 0 while the call is still held. */
	run: number;
	/** The upstream's own state, which travels inside ours; undefined when it gave none. */
	upstream_state: string | undefined;
}>;

/**
 * The states that clients of the stateless era carry from round to round, signed by the newest of the server's own keys;
 * those of the older ones still verify. They are not sealed: the client may read all that they hold.
 */
export type RequestStates = Readonly<{
	write(owner: StateOwner, state: RequestState): string;
	/** Undefined for what is no state of ours, was altered, or belongs to another call. `owner` is asked only when needed. */
	read(owner: () => StateOwner, given: unknown): RequestState | undefined;
}>;

const version = 'sbx1';
const pattern = new RegExp(`^${version}\\.([\\w-]{1,64})\\.(0|[1-9]\\d{0,8})\\.([\\w-]{43})(?:\\.([^]*))?$`);

/** As JSON, where no two states read alike: in UTF-8 one lone surrogate is like another. */
const signedText = (owner: StateOwner, {approval_id, run, upstream_state}: RequestState): string => {
	const {mcp_server_id, caller_key, tool_name, arguments_digest} = owner;
	const call = [mcp_server_id, caller_key, tool_name, arguments_digest];
	return JSON.stringify(['request state', version, call, approval_id, run, upstream_state ?? null]);
};

export const createRequestStates = (secrets: Pick<Secrets, 'derive' | 'equal'>): RequestStates => ({
	write: (owner, state) => {
		const [signature] = secrets.derive(signedText(owner, state));
		const own = [version, state.approval_id, state.run, signature].join('.');
		return state.upstream_state === undefined ? own : `${own}.${state.upstream_state}`;
	},
	read: (owner, given) => {
		if (typeof given !== 'string' || !given.startsWith(`${version}.`)) return undefined;
		const [, approval_id = '', run = '', signature = '', upstream_state] = pattern.exec(given) ?? [];
		const state = {approval_id, run: Number(run), upstream_state};
		const isSigned = secrets.derive(signedText(owner(), state)).some((own) => secrets.equal(own, signature));
		return isSigned ? state : undefined;
	},
});

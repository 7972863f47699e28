import type {OutputChunk} from '../../src/index.ts';

/** A request and an answer of every call that has one of each; no field has its default. */
const running = {execution_id: 'e1', lease_token: 'l1', output_offset: 4096};
const session = {agent_id: 'a1', session_id: 's1'};
const key = {api_key: 'sbx_new00000_secret', api_key_id: 'k1', user_id: 'u1', email: 'anne@example.com'};

export const exchanges = {
	login: [{email: 'anne@example.com', password: 'correct horse', device_name: 'laptop'}, key],
	startBrowserLogin: [
		{code_challenge: 'c', redirect_uri: 'http://127.0.0.1:4711/', state: 's', device_name: 'laptop'},
		{login_id: 'i', authorize_url: 'http://127.0.0.1:3000/login', user_code: 'ABCD', expires_at_ms: 1_790_000_000_000},
	],
	completeBrowserLogin: [{login_id: 'i', code: 'c', code_verifier: 'v'}, key],
	whoAmI: [
		{},
		{user_id: 'u1', email: 'anne@example.com', api_key_id: 'k1', server_version: '1.2.3', protocol_version: 1},
	],
	revokeCurrentKey: [{}, {}],
	register: [
		{
			agent_id: 'a1',
			name: 'builder',
			hostname: 'host',
			os: 'linux',
			arch: 'x64',
			version: '1.2.3',
			boot_id: 'b1',
			capacity: 4,
			running: [running],
			protocol_version: 1,
		},
		{
			...session,
			is_default: true,
			heartbeat_interval_ms: 10_000,
			lease_ttl_ms: 60_000,
			offline_ms: 30_000,
			lost_ms: 120_000,
			long_poll_ms: 30_000,
			chunk_max_bytes: 65_536,
			output_max_bytes: 1_048_576,
			keep: ['e1'],
			kill: ['e2'],
		},
	],
	lease: [
		{...session, max: 2},
		{
			executions: [
				{
					execution_id: 'e1',
					job_id: 'j1',
					job_name: 'Nightly',
					attempt: 2,
					lease_token: 'l1',
					command: 'echo "ü"',
					working_dir: '/tmp',
					environment: {A: '1', B: ''},
					timeout_ms: 60_000,
					kill_grace_ms: 10_000,
					scheduled_for_ms: 1_790_000_000_000,
					triggered_by: 'scheduled',
					mask: ['secret'],
				},
			],
		},
	],
	start: [
		{execution_id: 'e1', lease_token: 'l1', started_at_ms: 1_790_000_000_000},
		{proceed: true, reason: 'first'},
	],
	heartbeat: [
		{...session, running: [running], draining: true},
		{
			server_time_ms: 1_790_000_000_000,
			cancel: [{execution_id: 'e1', reason: 'person', grace_ms: 10_000}],
			lost: ['e2'],
		},
	],
	finish: [
		{
			execution_id: 'e1',
			lease_token: 'l1',
			outcome: 'EXITED',
			exit_code: 0,
			signal: 'SIGTERM',
			error: 'none',
			finished_at_ms: 1_790_000_000_000,
			duration_ms: 12,
			stdout_bytes: 3,
			stderr_bytes: 4,
			truncated: true,
		},
		{accepted: true},
	],
	deregister: [session, {}],
} as const;

export const watched = session;
export const asked = {...session, max: 1};

/** A chunk of standard output at an offset. */
export const chunk = (offset: number, data: Uint8Array): OutputChunk => ({
	execution_id: 'e1',
	lease_token: 'l1',
	stream: 'STDOUT',
	offset,
	data,
});

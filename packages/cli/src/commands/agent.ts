import {arch, availableParallelism, hostname, platform} from 'node:os';
import {join, resolve} from 'node:path';
import {accountEnvironment} from '../agent/account-environment.ts';
import {type HostFacts, runAgent} from '../agent/agent.ts';
import {openAgentState} from '../agent/agent-state.ts';
import {defaultPolicy, type HostPolicy, readHostPolicy} from '../agent/host-policy.ts';
import {readBootId} from '../agent/processes.ts';
import {refuseRoot} from '../agent/refuse-root.ts';
import {createCommandRunner} from '../agent/run-command.ts';
import {type Command, type Context, numberOf} from '../command-line/command.ts';
import {currentLogin, withPeer} from '../login/connection.ts';
import {userFolder} from '../login/credentials.ts';

const defaultGrace = 60;

/** Absolute, since commands run in folders of their own, and find their script all the same. */
const stateFolderOf = ({text, world: {environment}}: Context): string =>
	resolve(text('state-folder') ?? join(userFolder(environment, environment.XDG_STATE_HOME, '.local/state'), 'agent'));

const policyOf = ({text}: Context): Promise<HostPolicy> => {
	const path = text('policy');
	return path === undefined ? Promise.resolve(defaultPolicy()) : readHostPolicy(path);
};

const hostFacts = async ({text, world}: Context): Promise<HostFacts> => ({
	name: text('name') ?? hostname(),
	hostname: hostname(),
	os: platform(),
	arch: arch(),
	version: world.version,
	boot_id: (await readBootId()) ?? '',
});

const logTo =
	({world, output}: Context) =>
	(line: string): void => {
		const time = world.clock.now();
		output.note(output.isJson ? JSON.stringify({time, message: line}) : `${time} ${line}`);
	};

/** As it is told, unless the policy of the host says less. */
const capacityOf = (context: Context, {max_concurrent}: HostPolicy): number => {
	const told = numberOf(context, 'capacity', [1, 1000]);
	const capacity = told ?? max_concurrent ?? availableParallelism();
	if (max_concurrent === undefined || capacity <= max_concurrent) return capacity;
	logTo(context)(`The policy of this host allows ${max_concurrent} commands at the same time, not ${capacity}.`);
	return max_concurrent;
};

const work = async (context: Context, stateFolder: string): Promise<void> => {
	const {world} = context;
	const policy = await policyOf(context);
	const capacity = capacityOf(context, policy);
	const grace = numberOf(context, 'grace', [0, 86_400]) ?? defaultGrace;
	const login = await currentLogin(context);
	const state = await openAgentState(stateFolder);
	try {
		const runner = await createCommandRunner({stateFolder, environment: accountEnvironment(world.environment), policy});
		const {clock} = world;
		const {stopping: drain, hurrying: interrupt} = world.awaitStop();
		const host = await hostFacts(context);
		const needs = {runner, state, clock, host, capacity, drainMs: grace * 1000, drain, interrupt, log: logTo(context)};
		await withPeer(context, login, (peer) => runAgent({...needs, peer}));
	} finally {
		await state.release();
	}
};

const run: Command = {
	name: 'agent run',
	summary: 'Runs cron jobs of the server on this host',
	details: [
		'Commands run as the account of the agent, so give it one of its own. SIGTERM, or Ctrl-C, lets what runs end and takes',
		'nothing new; a second one ends it at once. A policy file bounds what the server may have run here: see the README.',
		'',
		'  signalbox agent run --capacity 4 --policy /etc/signalbox/agent.json',
	].join('\n'),
	options: {
		capacity: {value: 'n', summary: 'commands at the same time; else the policy, else the number of processors'},
		policy: {value: 'file', summary: 'what this host lets the server run'},
		'allow-root': {summary: 'lets the agent, and so its commands, run as root'},
		name: {value: 'name', summary: 'what people see; else the name of this host'},
		grace: {value: 'seconds', summary: `how long what runs may go on after SIGTERM; ${defaultGrace} without it`},
		'state-folder': {value: 'path', summary: 'what it remembers; else below $XDG_STATE_HOME, or ~/.local/state'},
	},
	run: async (context) => {
		refuseRoot({uid: context.world.uid, allowRoot: context.isOn('allow-root')});
		await work(context, stateFolderOf(context));
		return undefined;
	},
};

export const agentCommands: readonly Command[] = [run];

import type {EnvironmentVariable, SignalboxClient} from '@signalbox/client-sdk';
import {type Command, type Context, NotFoundError, UsageError} from '../command-line/command.ts';
import {tableOf} from '../command-line/table.ts';
import {withoutLineEnd} from '../command-line/without-line-end.ts';
import {connectApi} from '../login/connection.ts';

const scopes = ['all', 'webhook', 'cron', 'mcp'] as const;

const scopeOf = ({text}: Context) => scopes.find((scope) => scope === text('scope'));

/** The list holds the caller's own variables beside those of the active team, under the same keys: only `--team` means a team's. */
const find = async ({argument, text}: Context, api: SignalboxClient): Promise<EnvironmentVariable | undefined> => {
	const [key, team] = [argument('key'), text('team')];
	return (await api.environment.list()).data.find((each) => each.key === key && each.team_id === team);
};

const list: Command = {
	name: 'env list',
	summary: 'Lists environment variables, without their values',
	details: 'Your own, and those of your active team or of --team: a team owns what has its id as OWNER.',
	run: async (context) => {
		const {data} = await (await connectApi(context)).environment.list();
		const text = tableOf(
			data,
			[
				{head: 'KEY', of: ({key}) => key},
				{head: 'OWNER', of: ({team_id}) => team_id ?? 'you'},
				{head: 'SCOPE', of: ({scope}) => scope},
				{head: 'SECRET', of: ({is_secret}) => (is_secret ? 'yes' : 'no')},
				{head: 'UPDATED', of: ({updated_at}) => updated_at},
				{head: 'DESCRIPTION', of: ({description}) => description ?? ''},
			],
			'There are no environment variables.',
		);
		return {json: data, text};
	},
};

/** What the options say of a variable, known or new. */
const detailsOf = (context: Context) => {
	const [scope, description] = [scopeOf(context), context.text('description')];
	return {...(scope && {scope}), ...(description !== undefined && {description})};
};

const wantedSecrecy = ({isOn}: Context): boolean | undefined => {
	if (isOn('secret') && isOn('no-secret')) throw new UsageError('env set takes --secret or --no-secret, not both');
	return isOn('secret') ? true : isOn('no-secret') ? false : undefined;
};

/** What cannot be changed later. */
const newVariableOf = (context: Context) => {
	const {argument, text} = context;
	const team_id = text('team');
	const is_secret = wantedSecrecy(context);
	return {key: argument('key'), ...(team_id !== undefined && {team_id}), ...(is_secret !== undefined && {is_secret})};
};

const refuseOtherSecrecy = (context: Context, known: EnvironmentVariable | undefined): void => {
	const wanted = wantedSecrecy(context);
	if (known === undefined || wanted === undefined || wanted === known.is_secret) return;
	const team = context.text('team');
	const again = `signalbox env rm ${known.key}${team === undefined ? '' : ` --team ${team}`}`;
	const is = known.is_secret ? 'is a secret already' : 'exists already and is no secret';
	throw new Error(`${known.key} ${is}, which cannot be changed: remove it with ${again}, then set it anew`);
};

/** A value may have many lines, like a key in PEM: what is piped in is taken whole. */
const readValue = async ({world}: Context, key: string): Promise<string> => {
	const input = world.isInputTerminal ? await world.ask(`${key}: `, true) : await world.readInput();
	if (input === '')
		throw new Error(`There was no value for ${key} on the input: '' behind its name sets an empty one.`);
	return withoutLineEnd(input);
};

const save = async (context: Context, api: SignalboxClient, known: EnvironmentVariable | undefined) => {
	const value = context.optional('value') ?? (await readValue(context, context.argument('key')));
	const details = {value, ...detailsOf(context)};
	return known === undefined
		? api.environment.create({body: {...newVariableOf(context), ...details}})
		: api.environment.update({path: {id: known.id}, body: details});
};

const set: Command = {
	name: 'env set',
	summary: 'Sets an environment variable',
	details: [
		'Without a value it is asked for, or all of the input is taken, without its last line end: what is typed on a command',
		'line stays in its history.',
		'The variable is your own, or with --team that of the team.',
		'',
		'  signalbox env set API_TOKEN --secret < token.txt',
	].join('\n'),
	args: [{name: 'key'}, {name: 'value', isOptional: true}],
	options: {
		secret: {summary: 'makes sure that it is one, as a new one is anyway'},
		'no-secret': {summary: 'makes a new one that is not masked in the output of jobs'},
		scope: {value: 'scope', choices: scopes, summary: 'what may use it'},
		description: {value: 'text', summary: 'what it is for'},
	},
	run: async (context) => {
		wantedSecrecy(context);
		const api = await connectApi(context);
		const known = await find(context, api);
		refuseOtherSecrecy(context, known);
		const variable = await save(context, api, known);
		return {json: variable, text: `${context.argument('key')} is set.\n`};
	},
};

/** Whom the command line means. */
const ownerOf = ({text}: Context): string => {
	const team = text('team');
	return team === undefined ? 'your own' : `the team ${team}`;
};

const remove: Command = {
	name: 'env rm',
	summary: 'Removes an environment variable',
	details: 'Your own, or with --team that of the team.',
	args: [{name: 'key'}],
	run: async (context) => {
		const key = context.argument('key');
		const api = await connectApi(context);
		const known = await find(context, api);
		if (known === undefined) throw new NotFoundError(`There is no environment variable ${key} of ${ownerOf(context)}`);
		await api.environment.delete({path: {id: known.id}});
		return {json: {id: known.id, key}, text: `${key} is removed.\n`};
	},
};

export const environmentCommands: readonly Command[] = [list, set, remove];

import {parseArgs} from 'node:util';
import {type Argument, type Command, type Option, UsageError} from './command.ts';

/** What every command takes. */
export const globalOptions: Readonly<Record<string, Option>> = {
	url: {value: 'url', summary: 'where the API is; else SIGNALBOX_URL, else where you logged in'},
	'grpc-url': {
		value: 'url',
		summary: 'where agents and logins connect; else SIGNALBOX_GRPC_URL, else port 3001 of --url',
	},
	'allow-plaintext': {summary: 'lets an API key travel over http: to another machine'},
	team: {value: 'id', summary: 'works in that team instead of your active one'},
	json: {summary: 'answers JSON, for programs'},
	help: {short: 'h', summary: 'explains a command'},
};

/** A command line that was understood; without a command only help is asked for. */
export type CommandLine = Readonly<{
	command: Command | undefined;
	/** The words in front of the first one that is no command. */
	topic: string;
	args: Readonly<Record<string, string>>;
	values: Readonly<Record<string, string | boolean | undefined>>;
}>;

const configOf = ({value, short}: Option) => ({
	type: value === undefined ? ('boolean' as const) : ('string' as const),
	...(short !== undefined && {short}),
});

const read = (commands: readonly Command[], words: readonly string[]) => {
	const all = Object.assign({}, ...commands.map(({options}) => options), globalOptions) as Record<string, Option>;
	const options = Object.fromEntries(Object.entries(all).map(([name, option]) => [name, configOf(option)]));
	try {
		return parseArgs({args: [...words], options, allowPositionals: true});
	} catch (error) {
		throw new UsageError((error as Error).message.split('. ')[0]);
	}
};

const isPrefix = (prefix: readonly string[], words: readonly string[]): boolean =>
	prefix.every((word, at) => word === words[at]);

const refuseChoice = (name: string, value: string, choices: readonly string[] | undefined): void => {
	if (choices !== undefined && !choices.includes(value))
		throw new UsageError(`${name} takes one of ${choices.join(', ')}, not ${value}`);
};

const checkOptions = ({name, options = {}}: Command, values: CommandLine['values']): void => {
	for (const [given, value] of Object.entries(values)) {
		const option = options[given] ?? globalOptions[given];
		if (option === undefined) throw new UsageError(`${name} takes no --${given}`);
		if (typeof value === 'string') refuseChoice(`--${given}`, value, option.choices);
	}
};

const assign = (expected: readonly Argument[], given: readonly string[]): Readonly<Record<string, string>> => {
	const missing = expected.find(({isOptional}, at) => !isOptional && given[at] === undefined);
	if (missing !== undefined) throw new UsageError(`<${missing.name}> is missing`);
	if (given.length > expected.length) throw new UsageError(`${given[expected.length]} is one argument too many`);
	return Object.fromEntries(
		given.map((value, at) => {
			const {name = '', choices} = expected[at] ?? {};
			refuseChoice(`<${name}>`, value, choices);
			return [name, value];
		}),
	);
};

/** Reads what stands behind the program's name. @throws UsageError that says what is wrong with it */
export const parseCommandLine = (commands: readonly Command[], words: readonly string[]): CommandLine => {
	const {values: given, positionals} = read(commands, words);
	const values = {...given} as CommandLine['values'];
	const command = commands.find(({name}) => isPrefix(name.split(' '), positionals));
	if (command === undefined) {
		const known = commands.some(({name}) => name.startsWith(`${positionals[0]} `));
		const topic = known ? (positionals[0] ?? '') : '';
		if ((values.help && known) || positionals.length === 0 || (known && positionals.length === 1))
			return {command, topic, args: {}, values};
		throw new UsageError(`There is no command ${positionals.slice(0, 2).join(' ')}`);
	}
	if (values.help) return {command, topic: command.name, args: {}, values};
	checkOptions(command, values);
	return {
		command,
		topic: command.name,
		args: assign(command.args ?? [], positionals.slice(command.name.split(' ').length)),
		values,
	};
};

import type {Argument, Command, Option} from './command.ts';
import {globalOptions} from './parse-command-line.ts';

type Row = readonly [left: string, right: string];

const align = (rows: readonly Row[]): string => {
	const width = Math.max(...rows.map(([left]) => left.length));
	return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

const optionRow = ([name, {value, short, choices, summary}]: readonly [string, Option]): Row => [
	`${short ? `-${short}, ` : ''}--${name}${value ? ` <${value}>` : ''}`,
	choices ? `${summary}: ${choices.join(', ')}` : summary,
];

const options = (all: Readonly<Record<string, Option>>): string => align(Object.entries(all).map(optionRow));

const argument = ({name, isOptional}: Argument): string => (isOptional ? ` [${name}]` : ` <${name}>`);

const usage = ({name, args = []}: Command): string => `${name}${args.map(argument).join('')}`;

const listing = (commands: readonly Command[]): string =>
	align(commands.map((command) => [usage(command), command.summary]));

const exitCodes = align([
	['0', 'done'],
	['1', 'the server refused it or has nothing of that name, or it failed'],
	['2', 'the command line was not understood'],
	['3', 'not logged in, or the API key is not valid'],
	['4', 'the server cannot be reached'],
]);

const sections = (parts: readonly (string | undefined)[]): string =>
	`${parts.filter((part) => part !== undefined).join('\n\n')}\n`;

/** How one command is written. */
const commandHelp = (command: Command): string =>
	sections([
		command.summary,
		`Usage: signalbox ${usage(command)}${command.options ? ' [options]' : ''}`,
		command.details,
		command.options && `Options\n${options(command.options)}`,
		`Everywhere\n${options(globalOptions)}`,
	]);

const overview = (commands: readonly Command[]): string =>
	sections([
		'Tool calls, webhooks and cron jobs of a Signalbox server, and the agent that runs its jobs on this host.',
		`Commands\n${listing(commands)}`,
		`Everywhere\n${options(globalOptions)}`,
		`Exit codes\n${exitCodes}`,
		'Begin with: signalbox login. Which version this is: signalbox --version',
	]);

/** The help on a command, on the commands that begin with a word, or on all. */
export const helpOn = (commands: readonly Command[], topic: string): string => {
	const command = commands.find(({name}) => name === topic);
	if (command !== undefined) return commandHelp(command);
	const group = commands.filter(({name}) => name.startsWith(`${topic} `));
	return group.length > 0 ? sections([`Commands\n${listing(group)}`]) : overview(commands);
};

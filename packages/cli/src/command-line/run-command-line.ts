import {styleText} from 'node:util';
import {accountCommands} from '../commands/account.ts';
import {agentCommands} from '../commands/agent.ts';
import {chainCommands} from '../commands/chains.ts';
import {cronCommands} from '../commands/cron.ts';
import {environmentCommands} from '../commands/environment.ts';
import {mcpCommands} from '../commands/mcp.ts';
import {webhookCommands} from '../commands/webhook.ts';
import {type Command, type Context, type Output, UsageError, type World} from './command.ts';
import {completionOf, shells} from './completion.ts';
import {explainError, explanationText} from './explain-error.ts';
import {helpOn} from './help.ts';
import {type CommandLine, parseCommandLine} from './parse-command-line.ts';
import {printable} from './printable.ts';

const completion: Command = {
	name: 'completion',
	summary: 'Writes a script with which your shell completes commands',
	details: [
		'  source <(signalbox completion bash)        # in ~/.bashrc',
		'  source <(signalbox completion zsh)         # in ~/.zshrc, after compinit',
		'  signalbox completion fish | source         # in ~/.config/fish/config.fish',
	].join('\n'),
	args: [{name: 'shell', choices: shells}],
	run: async ({argument}) => {
		const shell = shells.find((each) => each === argument('shell')) ?? 'bash';
		const text = completionOf(shell, commands);
		return {json: {shell, script: text}, text};
	},
};

/** The command table. */
const commands: readonly Command[] = [
	...accountCommands,
	...agentCommands,
	...chainCommands,
	...cronCommands,
	...environmentCommands,
	...mcpCommands,
	...webhookCommands,
	completion,
];

const clearLine = '\r\u001b[K';

/** NO_COLOR: https://no-color.org */
const createOutput = ({stdout, stderr, environment}: World, isJson: boolean): Output => {
	const isColored = stdout.isTTY === true && !environment.NO_COLOR;
	const showsProgress = stderr.isTTY === true && !isJson;
	const clear = (): void => {
		if (showsProgress) stderr.write(clearLine);
	};
	return {
		isJson,
		write: (text) => {
			if (text === '') return;
			clear();
			stdout.write(text);
		},
		note: (line) => {
			clear();
			stderr.write(`${printable(line)}\n`);
		},
		progress: (text) => {
			clear();
			if (showsProgress) stderr.write(text);
		},
		style: (color, text) => (isColored ? styleText(color, text, {validateStream: false}) : text),
	};
};

const contextOf = (world: World, output: Output, {args, values}: CommandLine): Context => {
	const text = (name: string): string | undefined => {
		const value = values[name];
		return typeof value === 'string' ? value : undefined;
	};
	return {
		world,
		output,
		argument: (name) => args[name] ?? '',
		optional: (name) => args[name],
		text,
		isOn: (name) => values[name] === true,
	};
};

const runCommand = async (command: Command, line: CommandLine, world: World): Promise<void> => {
	const output = createOutput(world, line.values.json === true);
	const shown = await command.run(contextOf(world, output, line));
	if (shown === undefined) return;
	output.write(output.isJson ? `${JSON.stringify(shown.json, undefined, 2)}\n` : shown.text);
	if (shown.failure !== undefined) throw new Error(shown.failure);
};

const understand = (words: readonly string[]): CommandLine => {
	const line = parseCommandLine(commands, words);
	if (line.command === undefined && line.values.help !== true && line.topic !== '')
		throw new UsageError(`${line.topic} needs one more word`);
	return line;
};

/** What is asked for by `help`, as with other programs, is what `--help` explains. */
const withHelp = (words: readonly string[]): readonly string[] =>
	words[0] === 'help' ? [...words.slice(1), '--help'] : words;

/** The command that the words begin with, or the word that several begin with, and a blank. */
const helpTopic = (words: readonly string[]): string => {
	const command = commands.find(({name}) => `${words.join(' ')} `.startsWith(`${name} `));
	if (command !== undefined) return `${command.name} `;
	return commands.some(({name}) => name.startsWith(`${words[0]} `)) ? `${words[0]} ` : '';
};

const tellError = (error: unknown, words: readonly string[], {stderr}: World): number => {
	const {exitCode, ...explanation} = explainError(error);
	const isJson = words.includes('--json');
	stderr.write(isJson ? `${JSON.stringify({error: explanation})}\n` : explanationText({exitCode, ...explanation}));
	if (exitCode === 2 && !isJson) stderr.write(`See signalbox ${helpTopic(words)}--help\n`);
	return exitCode;
};

/** Does what the words behind the program's name say. @returns the exit code: see `signalbox --help` */
export const runCommandLine = async (words: readonly string[], world: World): Promise<number> => {
	try {
		if (words.length === 1 && words[0] === '--version') {
			world.stdout.write(`${world.version}\n`);
			return 0;
		}
		const line = understand(withHelp(words));
		if (line.command !== undefined && line.values.help !== true) {
			await runCommand(line.command, line, world);
			return 0;
		}
		const isAsked = line.values.help === true;
		(isAsked ? world.stdout : world.stderr).write(helpOn(commands, line.topic));
		return isAsked ? 0 : 2;
	} catch (error) {
		return tellError(error, words, world);
	}
};

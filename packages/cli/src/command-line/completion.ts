import type {Command} from './command.ts';
import {globalOptions} from './parse-command-line.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** What may follow some words. */
type Step = Readonly<{after: string; words: readonly string[]}>;

const optionsOf = ({options = {}}: Command): readonly string[] => Object.keys({...options, ...globalOptions});

/** Every place on the command line, from the command table: the words of commands, then their options and choices. */
const stepsOf = (commands: readonly Command[]): readonly Step[] => {
	const first = [...new Set(commands.map(({name}) => name.split(' ')[0] ?? ''))];
	const groups = first
		.map((after) => ({
			after,
			words: commands.filter(({name}) => name.startsWith(`${after} `)).map(({name}) => name.slice(after.length + 1)),
		}))
		.filter(({words}) => words.length > 0);
	const ends = commands.map((command) => ({
		after: command.name,
		words: [
			...(command.args ?? []).flatMap(({choices = []}) => choices),
			...optionsOf(command).map((name) => `--${name}`),
		],
	}));
	return [{after: '', words: first}, ...groups, ...ends];
};

const bashCases = (commands: readonly Command[]): string =>
	stepsOf(commands)
		.map(({after, words}) => `\t\t'${after}') echo '${words.join(' ')}' ;;`)
		.join('\n');

/** The words before the cursor that are no options name the step; behind arguments it is the one of their command. */
const bash = (commands: readonly Command[]): string => `_signalbox_words() {
	case $1 in
${bashCases(commands)}
		*) return 1 ;;
	esac
}
_signalbox() {
	local before='' words='' word
	for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		case $word in -*) ;; *) before="\${before:+$before }$word" ;; esac
	done
	until words=$(_signalbox_words "$before"); do
		case $before in *' '*) before=\${before% *} ;; *) break ;; esac
	done
	COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _signalbox signalbox
`;

const zsh = (commands: readonly Command[]): string => `#compdef signalbox
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`;

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const fishOption = ({name, options = {}}: Command): readonly string[] =>
	Object.entries({...options, ...globalOptions}).map(([option, {short, value, choices, summary}]) =>
		[
			`complete -c signalbox -n ${quoted(`__signalbox_is ${name}`)} -l ${option}`,
			...(short ? [`-s ${short}`] : []),
			...(value ? ['-x'] : []),
			...(choices ? [`-a ${quoted(choices.join(' '))}`] : []),
			`-d ${quoted(summary)}`,
		].join(' '),
	);

const fishWords = ({after, words}: Step): readonly string[] =>
	words
		.filter((word) => !word.startsWith('--'))
		.map((word) => `complete -c signalbox -f -n ${quoted(`__signalbox_is ${after}`)} -a ${quoted(word)}`);

const fish = (commands: readonly Command[]): string => `function __signalbox_is
	set -l words (commandline -opc)
	test "$(string match -v -- '-*' $words[2..-1])" = "$argv"
end
${[...stepsOf(commands).flatMap(fishWords), ...commands.flatMap(fishOption)].join('\n')}
`;

const writers: Readonly<Record<Shell, (commands: readonly Command[]) => string>> = {bash, zsh, fish};

/** A script with which a shell completes what is typed, made from the command table. */
export const completionOf = (shell: Shell, commands: readonly Command[]): string => writers[shell](commands);

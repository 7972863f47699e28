import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {globSync, readFileSync} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import type {Block} from './documents.ts';

const prelude = readFileSync(new URL('session.sh', import.meta.url), 'utf8');

/** Longer than any document takes on a busy machine. */
const longestMs = 280_000;

/** Where and with what the blocks of one document run. */
export type Session = Readonly<{
	cwd: string;
	/** Of this session alone: scripts, programs, and what they leave. */
	folder: string;
	env: NodeJS.ProcessEnv;
	/** What somebody types meanwhile. */
	input: string;
}>;

const placeOf = ({document, line}: Block): string => `${document}:${line}`;

const nameOf = (block: Block, extension: string): string => placeOf(block).replaceAll(/[^\w-]+/g, '-') + extension;

/** The file of a program that a document shows. */
export const programOf = (block: Block): string => nameOf(block, '.ts');

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const untilPattern = /^until="(.+)"$/;

/** The command that runs a block where it stands; a program is a file that is there already. */
const commandOf = async (block: Block, folder: string): Promise<string> => {
	if (block.language === 'ts') return `node ${quoted(join(folder, programOf(block)))}`;
	const [, text] = untilPattern.exec(block.words) ?? [];
	if (text === undefined) return block.text;
	const file = join(folder, nameOf(block, '.sh'));
	await writeFile(file, `${block.text}\n`);
	return `terminal ${quoted(file)} ${quoted(text)}`;
};

const scriptOf = async (blocks: readonly Block[], folder: string): Promise<string> => {
	const steps = [prelude];
	for (const block of blocks) steps.push(`at ${quoted(placeOf(block))}`, await commandOf(block, folder));
	return `${steps.join('\n')}\n`;
};

const isAlive = (group: number): boolean => {
	try {
		return process.kill(-group, 0);
	} catch {
		return false;
	}
};

const signal = (group: number, name: NodeJS.Signals): void => {
	if (isAlive(group)) process.kill(-group, name);
};

const endGroup = async (group: number): Promise<void> => {
	signal(group, 'SIGTERM');
	for (let waited = 0; isAlive(group) && waited < 20_000; waited += 50) await pause(50);
	signal(group, 'SIGKILL');
};

/** Ends what goes on in terminals, the latest first. @returns what they printed. */
const endTerminals = async (folder: string): Promise<string> => {
	const printed: string[] = [];
	for (const file of globSync('*.pid', {cwd: folder}).sort().reverse()) {
		await endGroup(Number(await readFile(join(folder, file), 'utf8')));
		printed.push(await readFile(join(folder, file.replace(/\.pid$/, '.log')), 'utf8'));
	}
	return printed.join('');
};

/** Runs blocks in their order in one shell. @returns how it ended, and what it and its terminals printed. */
export const runSession = async (blocks: readonly Block[], {cwd, folder, env, input}: Session) => {
	const file = join(folder, 'session.sh');
	await writeFile(file, await scriptOf(blocks, folder));
	const child = spawn('bash', [file], {cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe']});
	const chunks: Buffer[] = [];
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
	child.stdin.on('error', () => {}).end(input);
	const deadline = setTimeout(() => signal(child.pid ?? 0, 'SIGKILL'), longestMs);
	const [code] = await once(child, 'close');
	clearTimeout(deadline);
	return {code, output: `${Buffer.concat(chunks)}`, inTerminals: await endTerminals(folder)};
};

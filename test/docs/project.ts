import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {promisify} from 'node:util';
import mysql from 'mysql2/promise';
import {bareEnvironment} from '../support/bare-environment.ts';
import {freePort} from '../support/free-port.ts';
import {startMariadbInstance} from '../support/mariadb-instance.ts';
import {runServer} from '../support/server-process.ts';
import {type Block, root} from './documents.ts';
import {programOf, type Session} from './session.ts';
import {firstAccount, type Setting} from './settings.ts';

const run = promisify(execFile);

const compilerOptions = {
	...{target: 'es2024', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true, types: ['node']},
	...{allowImportingTsExtensions: true, erasableSyntaxOnly: true, verbatimModuleSyntax: true},
	lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
};

/** A project beside the repository in which its packages are installed as they are built, and a server that runs. */
export type Project = Readonly<{
	folder: string;
	serverVariables: Readonly<Record<string, string>>;
	remove(): Promise<void>;
}>;

export const openProject = async (): Promise<Project> => {
	await run(process.execPath, [join(root, 'scripts/build-if-needed.ts')], {cwd: root});
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-docs-')));
	await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
	await writeFile(join(folder, 'package.json'), '{"name": "reader", "private": true, "type": "module"}');
	await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({compilerOptions}));
	const directory = join(folder, 'shared');
	await mkdir(directory);
	const server = await runServer(directory, {...firstAccount, DATABASE_URL: `sqlite:${directory}/signalbox.db`});
	return {
		folder,
		serverVariables: {SIGNALBOX_URL: server.origin, SIGNALBOX_GRPC_URL: server.grpcUrl},
		remove: async () => {
			await server.end('SIGTERM');
			await rm(folder, {recursive: true, force: true});
		},
	};
};

/** Writes the programs that documents show where their sessions find them. */
export const writePrograms = async ({folder}: Project, programs: readonly Block[]): Promise<void> => {
	for (const block of programs) {
		const home = join(folder, folderOf(block.document));
		await mkdir(home, {recursive: true});
		await writeFile(join(home, programOf(block)), `${block.text}\n`);
	}
};

/** What the compiler says of the programs; empty when it takes them all. */
export const checkTypes = async ({folder}: Project): Promise<string> => {
	const tsc = join(root, 'node_modules/.bin/tsc');
	return run(tsc, ['-p', folder]).then(
		() => '',
		({stdout}: {stdout: string}) => stdout,
	);
};

const folderOf = (path: string): string => path.replaceAll(/[^\w-]+/g, '-');

/** Where `mariadb` and its like connect to without being told. */
const startMariadb = async (folder: string) => {
	const instance = await startMariadbInstance();
	const {hostname, port} = new URL(instance.server);
	const connection = await mysql.createConnection({uri: instance.server});
	await connection.query('DROP DATABASE signalbox');
	await connection.end();
	await writeFile(join(folder, '.my.cnf'), `[client]\nhost=${hostname}\nport=${port}\nuser=root\nprotocol=tcp\n`);
	return {variables: {DATABASE_PORT: port}, remove: instance.remove};
};

const noMariadb = {variables: {}, remove: async () => {}};

/** Of the machine: packages are never fetched, and what would take minutes says only what it would do. */
const machine = {npm_config_dry_run: 'true', npm_config_offline: 'true', DRY_RUN: '1'};

/** The session of a document: of packages in the project, of everything else in the checkout. */
export const openSession = async (project: Project, path: string, setting: Setting) => {
	const folder = join(project.folder, folderOf(path));
	await mkdir(folder, {recursive: true});
	const mariadb = setting.mariadb ? await startMariadb(folder) : noMariadb;
	const ports = [await freePort(), await freePort(), await freePort()];
	const [PORT = '', GRPC_PORT = '', TOOLS_PORT = ''] = ports.map(String);
	const own = {SIGNALBOX_URL: `http://127.0.0.1:${PORT}`, SIGNALBOX_GRPC_URL: `http://127.0.0.1:${GRPC_PORT}`};
	const session: Session = {
		folder,
		cwd: setting.inCheckout ? root : folder,
		input: (setting.typed ?? []).map((line) => `${line}\n`).join(''),
		env: {
			...{...bareEnvironment(), HOME: folder, ...machine},
			PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
			...{PORT, GRPC_PORT, TOOLS_PORT, HOST: '127.0.0.1', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error'},
			...(process.getuid?.() === 0 && {AGENT_OPTIONS: '--allow-root'}),
			...(setting.ownServer ? own : project.serverVariables),
			...mariadb.variables,
			...setting.variables,
		},
	};
	return {session, close: mariadb.remove};
};

import {constants} from 'node:fs';
import {mkdir, open, rename, rm, writeFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {dirname, join} from 'node:path';
import {z} from 'zod';

const credentialsSchema = z.object({
	url: z.string(),
	grpc_url: z.string(),
	email: z.string(),
	api_key_id: z.string(),
	api_key: z.string(),
});

/** What a login leaves on this machine. The key goes to these two addresses and no other. */
export type Credentials = Readonly<z.infer<typeof credentialsSchema>>;

/** There is no API key to show; the message says how to get one. */
export class NotLoggedInError extends Error {
	override readonly name = 'NotLoggedInError';
}

const readableByOthers = 0o077;

type Environment = Readonly<Record<string, string | undefined>>;

/** XDG Base Directory Specification: a path that is not absolute is ignored. */
export const userFolder = ({HOME}: Environment, configured: string | undefined, fallback: string): string =>
	join(configured?.startsWith('/') ? configured : join(HOME || homedir(), fallback), 'signalbox');

export const credentialsPath = (environment: Environment): string =>
	join(userFolder(environment, environment.XDG_CONFIG_HOME, '.config'), 'credentials.json');

/** @throws Error that names the path when others can read it, or when it is not what a login wrote. */
export const readCredentials = async (path: string): Promise<Credentials | undefined> => {
	const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT') return undefined;
		throw error;
	});
	if (file === undefined) return undefined;
	try {
		if (((await file.stat()).mode & readableByOthers) !== 0)
			throw new Error(`${path}: others may read the API key in it: chmod 600, and best log in anew`);
		return credentialsSchema.parse(JSON.parse(await file.readFile('utf8')));
	} catch (error) {
		if (error instanceof SyntaxError || error instanceof z.ZodError)
			throw new Error(`${path}: it cannot be read: log in anew`);
		throw error;
	} finally {
		await file.close();
	}
};

/** Replaces the file as a whole; only this account can read it. */
export const writeCredentials = async (path: string, credentials: Credentials): Promise<void> => {
	await mkdir(dirname(path), {recursive: true, mode: 0o700});
	const fresh = `${path}.${process.pid}.new`;
	await rm(fresh, {force: true});
	await writeFile(fresh, `${JSON.stringify(credentials, undefined, '\t')}\n`, {mode: 0o600, flag: 'wx', flush: true});
	await rename(fresh, path);
};

export const removeCredentials = (path: string): Promise<void> => rm(path, {force: true});

import {normalize, sep} from 'node:path';
import {z} from 'zod';
import {type AttemptSpec, CannotStartError} from './attempt.ts';
import {readProtectedFile} from './protected-file.ts';
import {matchesPattern} from './wildcard.ts';

const absolute = z.string().regex(/^\//, 'must be an absolute path');

const policySchema = z.strictObject({
	max_concurrent: z.int().min(1).max(1000).optional(),
	allowed_commands: z.array(z.string().min(1)).optional(),
	allowed_working_dirs: z.array(absolute).optional(),
	allowed_environment: z.array(z.string().min(1)).optional(),
});

/** What the owner of a host lets a server do with it. The server can neither read nor change it. */
export type HostPolicy = Readonly<{
	/** Commands at the same time, 1 to 1000, whatever the agent is told. Default: as many as it is told. */
	max_concurrent?: number;
	/** Whole commands, `*` for any run of characters that mean nothing to the shell. Default: every command. */
	allowed_commands?: readonly string[];
	/** Folders, with those below them. Default: every folder. */
	allowed_working_dirs?: readonly string[];
	/**
	 * Names of variables that a job may set, `*` for any run of characters. Default: every one, but none when
	 * `allowed_commands` are given: PATH or LD_PRELOAD would make another command of an allowed one.
	 */
	allowed_environment?: readonly string[];
}>;

/** Set by the server's own hand, with an id in it: a job may set it, too, but to nothing else. */
const eventVariable = 'SIGNALBOX_EVENT_ID';
const eventId = /^[\w-]{1,64}$/;

const problemsOf = (error: z.ZodError): string =>
	error.issues.map(({path, message}) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)).join('; ');

const parseJson = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		throw new Error('it is no JSON');
	}
};

/** Reads a policy from JSON. @throws Error that names the field: an unknown one is a mistake, never ignored. */
export const parseHostPolicy = (text: string): HostPolicy => {
	const {data, error} = policySchema.safeParse(parseJson(text));
	if (error) throw new Error(problemsOf(error));
	return data;
};

/** A host without a policy file. */
export const defaultPolicy = (): HostPolicy => ({});

/**
 * Reads the policy of this host.
 * @throws Error that names the path when it is not there, does not hold, or could be changed by others.
 */
export const readHostPolicy = async (path: string): Promise<HostPolicy> => {
	const text = await readProtectedFile(path);
	try {
		return parseHostPolicy(text);
	} catch (error) {
		throw new Error(`${path}: ${(error as Error).message}`);
	}
};

const isWithin = (folder: string, allowed: string): boolean => {
	const above = normalize(`${allowed}${sep}`);
	return normalize(`${folder}${sep}`).startsWith(above);
};

type Request = Pick<AttemptSpec, 'command' | 'environment'> & Readonly<{real_working_dir: string}>;

const variableRefused = (
	{allowed_environment, allowed_commands}: HostPolicy,
	environment: Request['environment'],
): string | undefined => {
	const allowed = allowed_environment ?? (allowed_commands ? [] : undefined);
	if (allowed === undefined) return undefined;
	const isAllowed = (name: string): boolean => allowed.some((pattern) => matchesPattern(pattern, name));
	const isEventId = (name: string): boolean => name === eventVariable && eventId.test(environment[name] ?? '');
	return Object.keys(environment).find((name) => !isEventId(name) && !isAllowed(name));
};

/**
 * Holds an attempt against the policy. `real_working_dir` is the folder with its symbolic links resolved.
 * @throws CannotStartError that names the field of the policy.
 */
export const enforcePolicy = (policy: HostPolicy, {command, real_working_dir, environment}: Request): void => {
	const {allowed_commands, allowed_working_dirs} = policy;
	const variable = variableRefused(policy, environment);
	if (allowed_commands?.some((pattern) => matchesPattern(pattern, command)) === false)
		throw new CannotStartError('the policy of this host does not allow the command (allowed_commands)');
	if (allowed_working_dirs?.some((allowed) => isWithin(real_working_dir, allowed)) === false)
		throw new CannotStartError('the policy of this host does not allow the working_dir (allowed_working_dirs)');
	if (variable !== undefined)
		throw new CannotStartError(`the policy of this host does not allow the variable ${variable} (allowed_environment)`);
};

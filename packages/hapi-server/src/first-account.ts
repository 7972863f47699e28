import type {Core, Secrets} from '@signalbox/core';
import type {Config} from './config.ts';

const localEmail = 'admin@signalbox.local';

/**
 * Makes the first account of an empty database: the one that is configured, or in local mode one of our own.
 * @returns what to print, once: the made-up credentials of the local mode, without which nobody could sign in.
 */
export const makeFirstAccount = async (
	core: Core,
	secrets: Secrets,
	config: Pick<Config, 'admin' | 'local'>,
): Promise<readonly string[]> => {
	if (config.admin) {
		const made = await core.accounts.registration.createFirst(config.admin);
		return made ? [`First account: ${made.email}, with the password of SIGNALBOX_ADMIN_PASSWORD`] : [];
	}
	if (!config.local) return [];
	const password = secrets.random(18);
	const made = await core.accounts.registration.createFirst({email: localEmail, password});
	return made ? [`First account (shown this once): ${made.email}  password: ${password}`] : [];
};

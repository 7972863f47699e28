import {userInfo} from 'node:os';

/** The environment that a program was started with. */
type Environment = Readonly<Record<string, string | undefined>>;

const defaultPath = '/usr/local/bin:/usr/bin:/bin';

/** An account that only has a number, as in many containers, stands in no list. */
const accountEntry = (): Environment => {
	try {
		const {homedir, username, shell} = userInfo();
		return {HOME: homedir, USER: username, SHELL: shell ?? undefined};
	} catch {
		return {};
	}
};

const isSet = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined;

/**
 * All that commands inherit: HOME, USER and SHELL of this account as the system lists it, and PATH, LANG and TZ as this
 * program has them. A PATH is always there; what else is unknown is left out.
 */
export const accountEnvironment = ({
	PATH = defaultPath,
	HOME,
	USER,
	SHELL,
	LANG,
	TZ,
}: Environment): Readonly<Record<string, string>> => {
	const listed = accountEntry();
	const known = {PATH, HOME: listed.HOME ?? HOME, USER: listed.USER ?? USER, SHELL: listed.SHELL ?? SHELL, LANG, TZ};
	return Object.fromEntries(Object.entries(known).filter(isSet));
};

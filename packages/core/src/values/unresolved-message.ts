/**
 * Why `{{env.KEY}}` has no value where it is used. `unreadable`: the variable is there, but its sealed value does not open;
 * `too_long`: with it, values would add more than 1 MiB.
 */
export type UnresolvedKey = Readonly<{
	key: string;
	use: string;
	because: 'missing' | 'out_of_scope' | 'unreadable' | 'too_long';
}>;

/** The same for people. Names key and scope, never a value. */
export const unresolvedMessage = ({key, use, because}: UnresolvedKey): string => {
	switch (because) {
		case 'missing':
			return `The variable ${key} does not exist (scope ${use} or all).`;
		case 'out_of_scope':
			return `The variable ${key} exists, but its scope does not cover ${use}.`;
		case 'unreadable':
			return `The variable ${key} does not open with the master keys that are set.`;
		case 'too_long':
			return `Variables add more than 1 MiB: the value of ${key} was too much.`;
	}
};

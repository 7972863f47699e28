export type RootCheck = Readonly<{
	/** Number of the account that the agent runs as; undefined where accounts have none. */
	uid: number | undefined;
	/** Whether the operator said `--allow-root`. */
	allowRoot: boolean;
}>;

/**
 * Commands come over the network and run as the agent's account, so that account is not root by accident.
 * @throws Error that says what to do.
 */
export const refuseRoot = ({uid, allowRoot}: RootCheck): void => {
	if (uid === 0 && !allowRoot)
		throw new Error(
			'The agent runs commands that a server sends, and does not run them as root. Start it as an account of its own, or with --allow-root.',
		);
};

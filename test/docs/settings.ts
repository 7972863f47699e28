/** What a document is given beside its blocks, by named variables that they may use, and what must be seen of them. */
export type Setting = Readonly<{
	/** Texts that its blocks print. */
	prints?: readonly string[];
	/** Its blocks run in the root of the checkout, and not in a project that uses the packages. */
	inCheckout?: true;
	/** SIGNALBOX_URL and SIGNALBOX_GRPC_URL lead to the server that it starts, and not to one that runs already. */
	ownServer?: true;
	/** Variables that are set while they run, beside those that all have. */
	variables?: Readonly<Record<string, string>>;
	/** A MariaDB of its own is what `mariadb` and its like connect to; blocks that ask for one run where it is installed. */
	mariadb?: true;
	/** What somebody types, a line each. */
	typed?: readonly string[];
}>;

const password = 'correct horse battery';
const admin = 'admin@signalbox.local';

/** Who may sign in at each server, where a document does not say otherwise. */
export const firstAccount = {SIGNALBOX_ADMIN_EMAIL: 'ada@example.com', SIGNALBOX_ADMIN_PASSWORD: password};

/** Documents that are not named are given what all have, and print what they like. */
const named: Readonly<Record<string, Setting>> = {
	'README.md': {
		ownServer: true,
		// What npm start makes and prints, where nothing is configured.
		variables: {...firstAccount, SIGNALBOX_ADMIN_EMAIL: admin},
		typed: [password, password],
		prints: ['"tool_name": "echo"', '"approved"', 'Echo: hello', '"status": "success"', 'it is '],
	},
	'docs/operations.md': {
		ownServer: true,
		variables: firstAccount,
		mariadb: true,
		prints: ['ada@example.com\tself_hosted\tactive', 'New password of', 'is disabled', 'has the plan', 'under k2'],
	},
	// Its pages are worked on where they are.
	'packages/dashboard/README.md': {inCheckout: true},
	'packages/cli/README.md': {typed: [password], prints: ['nightly-backup', 'success']},
};

const isAboutPackages = (path: string): boolean => path.startsWith('packages/') || path === 'docs/operations.md';

export const settingOf = (path: string): Setting => ({
	...named[path],
	...(!isAboutPackages(path) && {inCheckout: true}),
});

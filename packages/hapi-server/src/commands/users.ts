import type {Core, Secrets} from '@signalbox/core';
import {type Command, UsageError, withMigratedDatabase} from './command.ts';

const usage =
	'usage: signalbox-server users list | reset-password <email> | disable <email> | enable <email> | set-plan <email> <plan>';

type Action = Readonly<{
	args: number;
	run(needs: Readonly<{core: Core; secrets: Secrets}>, args: readonly string[]): Promise<readonly string[]>;
}>;

const list: Action = {
	args: 0,
	run: async ({core}) =>
		(await core.accounts.users.operator.list()).map(({email, plan, disabled, created_at}) =>
			[email, plan, disabled ? 'disabled' : 'active', created_at].join('\t'),
		),
};

/** The new password is made here, never given: what is typed on a command line stays in its history. */
const resetPassword: Action = {
	args: 1,
	run: async ({core, secrets}, [email = '']) => {
		const password = secrets.random(18);
		await core.accounts.users.operator.resetPassword(email, password);
		return [`New password of ${email} (shown this once): ${password}`];
	},
};

const disable: Action = {
	args: 1,
	run: async ({core}, [email = '']) => {
		await core.accounts.users.operator.setDisabled(email, true);
		return [`${email} is disabled.`];
	},
};

const enable: Action = {
	args: 1,
	run: async ({core}, [email = '']) => {
		await core.accounts.users.operator.setDisabled(email, false);
		return [`${email} may sign in again.`];
	},
};

const setPlan: Action = {
	args: 2,
	run: async ({core}, [email = '', plan = '']) => {
		await core.accounts.users.operator.setPlan(email, plan);
		return [`${email} has the plan ${plan} now.`];
	},
};

const actions: ReadonlyMap<string, Action> = new Map([
	['list', list],
	['reset-password', resetPassword],
	['disable', disable],
	['enable', enable],
	['set-plan', setPlan],
]);

/** What operators do to accounts. */
export const users: Command = async (context) => {
	const [name = '', ...args] = context.args;
	const action = actions.get(name);
	if (action === undefined || args.length !== action.args) throw new UsageError(usage);
	await withMigratedDatabase(context, async ({core, ports}) => {
		for (const line of await action.run({core, secrets: ports.secrets}, args)) context.print(line);
	});
};

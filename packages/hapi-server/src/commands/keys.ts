import {type Command, UsageError, withMigratedDatabase} from './command.ts';

const rotate: Command = async (context) =>
	withMigratedDatabase(context, async ({core, ports}) => {
		const sealed = await core.environment.keyRotation.rotate();
		const kid = ports.cipher.currentKid();
		for (const [what, count] of Object.entries(sealed)) context.print(`${what}: ${count} sealed anew under ${kid}`);
	});

/** More than a store holds of a kind, as a rule, and no more than fits into memory. */
const most = 10_000;

const check: Command = async (context) =>
	withMigratedDatabase(context, async ({core}) => {
		const unopened = await core.environment.keyRotation.check(most);
		for (const {kind, id, kid} of unopened) context.print(`${kind} ${id}: sealed with ${kid}, does not open`);
		if (unopened.length > 0) throw new UsageError('The master keys that are set do not open everything.');
		context.print('Everything that is sealed opens.');
	});

/**
 * `keys rotate`: seals everything anew under the newest master key; afterwards the older keys are not needed. `keys check`:
 * whether the keys that are set open what is sealed.
 */
export const keys: Command = async (context) => {
	const command = new Map([
		['rotate', rotate],
		['check', check],
	]).get(context.args.join(' '));
	if (command === undefined) throw new UsageError('usage: signalbox-server keys rotate | check');
	await command(context);
};

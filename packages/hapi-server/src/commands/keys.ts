import {type Command, UsageError, withMigratedDatabase} from './command.ts';

/** `keys rotate`: seals everything anew under the newest master key; afterwards the older keys are not needed. */
export const keys: Command = async (context) => {
	if (context.args.join(' ') !== 'rotate') throw new UsageError('usage: signalbox-server keys rotate');
	await withMigratedDatabase(context, async ({core, ports}) => {
		const sealed = await core.environment.keyRotation.rotate();
		const kid = ports.cipher.currentKid();
		for (const [what, count] of Object.entries(sealed)) context.print(`${what}: ${count} sealed anew under ${kid}`);
	});
};

import type {Resolver, ResourceOwner} from '../environment/resolver.ts';
import {unresolvedMessage} from '../values/unresolved-message.ts';
import type {EnvValues} from './model/env-values.ts';

/** What the keys stand for now, for webhooks of that owner or notices of their jobs, or why they stand for nothing. */
export const lookUpValues = async (
	{lookUp}: Pick<Resolver, 'lookUp'>,
	owner: ResourceOwner & Readonly<{is_for_notices?: boolean}>,
	keys: readonly string[],
): Promise<EnvValues> => {
	if (keys.length === 0) return new Map();
	const found = await lookUp(owner, owner.is_for_notices === true ? 'cron' : 'webhook', keys);
	return new Map(
		[...found].map(([key, each]) => [key, 'value' in each ? each : {because: unresolvedMessage(each)}] as const),
	);
};

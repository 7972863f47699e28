import {setImmediate as turn} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

/** `minor` frees only what is young. */
export const collectGarbage = (type: 'major' | 'minor'): void => {
	setFlagsFromString('--expose-gc');
	const collect: (options: Readonly<{type: 'major' | 'minor'}>) => void = runInNewContext('gc');
	// What survives the first two collections of the young is old.
	for (let times = 0; times < 3; times += 1) collect({type});
};

/** Whether nobody holds it any more. */
export const isFreed = async (held: WeakRef<object>): Promise<boolean> => {
	// What was looked at in this turn stays until it ends.
	for (let turns = 0; turns < 3; turns += 1) await turn();
	collectGarbage('major');
	return held.deref() === undefined;
};

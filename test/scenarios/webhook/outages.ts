import {setTimeout as pause} from 'node:timers/promises';
import {until} from '../../support/mcp/until.ts';
import type {ServerFleet} from '../../support/server-fleet.ts';

/** A database that is killed while servers use it. */
export type MortalDatabase = Readonly<{
	kill(): Promise<void>;
	/** Resolves once it answers. */
	restart(): Promise<void>;
}>;

/** Milliseconds for which it stays away after all have noticed, at most. */
const longestAbsence = 2000;

const readiness = async (origin: string): Promise<number | undefined> => {
	try {
		const answer = await fetch(`${origin}/readyz`);
		await answer.body?.cancel();
		return answer.status;
	} catch {
		return undefined;
	}
};

/** Resolves once each server that runs answers so; one that was killed meanwhile, and starts, does not run. */
const allAnswer = async ({servers}: ServerFleet, status: number): Promise<void> => {
	await until(async () => {
		const origins = servers.map(({origin}) => origin()).filter((origin) => origin !== undefined);
		const statuses = await Promise.all(origins.map(readiness));
		return statuses.every((each) => each === status);
	}, `a ${status} of all`);
};

/** Kills the database until all servers say that they are not ready. @returns milliseconds from its return until they are. */
export const strike = async (fleet: ServerFleet, database: MortalDatabase, random: () => number): Promise<number> => {
	await database.kill();
	await allAnswer(fleet, 503);
	await pause(random() * longestAbsence);
	await database.restart();
	const began = performance.now();
	await allAnswer(fleet, 200);
	return performance.now() - began;
};

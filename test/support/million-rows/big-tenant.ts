import {createApi, type Person, registerPerson} from '../api.ts';
import {addResources} from '../openapi/resources.ts';
import type {ServerRun} from '../server-process.ts';
import type {Originals} from './seed-numbers.ts';

/** A tenant with one of everything, made as everybody makes it, by a server that is ended again. */
export const addBigTenant = async (
	run: () => Promise<ServerRun>,
): Promise<Readonly<{person: Person; of: Originals}>> => {
	const {origin, grpcUrl, end} = await run();
	const anyone = createApi(origin);
	const person = await registerPerson(anyone, 'big');
	const made = await addResources({grpcUrl}, anyone, person);
	await end('SIGTERM');
	const idOf = (name: string): string => made[name] ?? '';
	const ids = {server_id: idOf('server_id'), endpoint_id: idOf('endpoint_id'), job_id: idOf('job_id')};
	return {person, of: {user_id: person.id, team_id: person.team_id, ...ids, chain_id: idOf('/v1/cron/chains')}};
};

import type {Reply} from '../../support/api.ts';
import type {Contest, Told} from './contest.ts';
import type {RacingServers} from './racing-servers.ts';

const told = ({status, body}: Reply): Told => ({status, ...(body?.id !== undefined && {id: body.id})});

const oneOfAKey = async (servers: RacingServers, ways: number): Promise<Contest> => {
	const racer = await servers.addRacer();
	const path = '/v1/environment';
	return {
		...{name: 'variables of one key', ways, most: 1, refusal: 409},
		ask: async (turn) => told(await racer.at(turn).post(path, {key: 'TOKEN', value: `${turn}`})),
		kept: async () => ({listed: (await racer.at(0).get(path)).body.data.length}),
	};
};

/** Whoever comes while the first one is at it is told so, and whoever comes later what the first one was told. */
const oneRun = async (servers: RacingServers, ways: number): Promise<Contest> => {
	const racer = await servers.addRacer();
	const fields = {name: 'Back up', schedule: '0 3 * * *', command: './backup.sh'};
	const {id} = (await racer.at(0).post('/v1/cron-jobs', fields)).body;
	return {
		...{name: 'runs under one Idempotency-Key', ways, most: 1, refusal: 409},
		ask: async (turn) =>
			told(await racer.at(turn).post(`/v1/cron-jobs/${id}/run`, undefined, {'idempotency-key': 'k'})),
		kept: async () => ({listed: (await racer.at(0).get('/v1/cron-executions')).body.data.length}),
	};
};

const lastOwner = async (servers: RacingServers): Promise<Contest> => {
	const founder = await servers.addRacer();
	const owners = [founder];
	while (owners.length < 4) owners.push(await servers.addRacer());
	const {id} = (await founder.at(0).post('/v1/teams', {name: 'Platform'})).body;
	const members = `/v1/teams/${id}/members`;
	for (const {email} of owners.slice(1)) await founder.at(0).post(members, {email, role: 'owner'});
	return {
		...{name: 'owners who leave their team', ways: owners.length, most: owners.length - 1, refusal: 409},
		ask: async (turn) => {
			const owner = owners[turn] ?? founder;
			return told(await owner.at(turn).delete(`${members}/${owner.id}`));
		},
	};
};

/** What there is one of, and one that must stay. */
export const singleContests = async (servers: RacingServers, ways: number): Promise<readonly Contest[]> =>
	Promise.all([oneOfAKey, oneRun, lastOwner].map(async (make) => make(servers, ways)));

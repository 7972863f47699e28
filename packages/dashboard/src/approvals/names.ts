import {useResource} from '../live/use-resource.ts';
import {client} from '../session/client.ts';
import {session} from '../session/session.ts';

type Names = ReadonlyMap<string, string>;

const readNames = async (): Promise<Readonly<{servers: Names; people: Names}>> => {
	const state = session.peek();
	if (state.state !== 'signed-in') return {servers: new Map(), people: new Map()};
	const [servers, team] = await Promise.all([
		client.mcp.servers.list(),
		client.teams.get({path: {id: state.user.active_team_id}}),
	]);
	return {
		servers: new Map(servers.data.map(({id, name}) => [id, name])),
		people: new Map(team.members.map(({user_id, name, email}) => [user_id, name ?? email])),
	};
};

/** What servers and people are called, by their ids; a short form of the id for those that are gone. */
export const useNames = () => {
	const {data} = useResource('names', readNames);
	const nameIn = (names: Names | undefined, id: string): string => names?.get(id) ?? `…${id.slice(-6)}`;
	return {
		server: (id: string): string => nameIn(data?.servers, id),
		person: (id: string): string => nameIn(data?.people, id),
	};
};

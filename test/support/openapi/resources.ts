import {connectGrpc} from '@signalbox/rpc';
import type {Api, Body, Person} from '../api.ts';
import {toolCall} from '../json-rpc-upstream.ts';
import {until} from '../mcp/until.ts';
import type {TestServer} from '../server.ts';
import type {Operation} from './document.ts';

/** One resource of each kind that belongs to a person: by the collection that it is in, and by the name of its parameter. */
export type Resources = Readonly<Record<string, string>>;

const made = async (api: Api, path: string, body: object = {}): Promise<Body> => {
	const answer = await api.post(path, body);
	if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
	return answer.body;
};

const first = async (api: Api, path: string): Promise<Body> =>
	until(async () => (await api.get(path)).body.data[0], `something in ${path}`);

/** Nobody listens there. */
const nowhere = 'http://127.0.0.1:9/';

const addMcp = async (anyone: Api, {api}: Person) => {
	const approval_config = {enabled: true, trust_level: 'moderate'};
	const plain = await made(api, '/v1/mcp/servers', {name: 'Plain', target_url: nowhere});
	const asking = await made(api, '/v1/mcp/servers', {name: 'Asking', target_url: nowhere, approval_config});
	await anyone.post(`/p/${plain.slug}`, toolCall('read'));
	// It is held until somebody decides, or until the server ends.
	anyone.post(`/p/${asking.slug}`, toolCall('delete_all')).catch(() => undefined);
	const [call, approval] = [await first(api, '/v1/mcp/calls'), await first(api, '/v1/mcp/approvals')];
	const notification = await first(api, '/v1/notifications');
	return {
		...{server_id: plain.id, '/v1/mcp/servers': plain.id, '/v1/mcp/calls': call.id},
		...{'/v1/mcp/approvals': approval.id, '/v1/notifications': notification.id},
	};
};

const addWebhook = async (anyone: Api, {api}: Person) => {
	const {id, slug} = await made(api, '/v1/webhook/endpoints', {name: 'In', destination_url: nowhere});
	const path = `/v1/webhook/endpoints/${id}`;
	const middleware = await made(api, `${path}/middlewares`, {type: 'delay', name: 'Wait', config: {seconds: 60}});
	const rule = await made(api, `${path}/routing-rules`, {name: 'On', destination_url: nowhere, is_active: true});
	await anyone.post(`/wh/${slug}`, {hello: 'world'});
	const event = await first(api, '/v1/webhook/events');
	return {
		...{endpoint_id: id, middleware_id: middleware.id, rule_id: rule.id},
		...{'/v1/webhook/endpoints': id, '/v1/webhook/events': event.id, trigger_endpoint_id: id},
	};
};

const host = {
	...{agent_id: '', name: 'db-1', hostname: 'db-1', os: 'linux', arch: 'x64', version: '1.0.0'},
	...{boot_id: 'b', capacity: 1, running: [], protocol_version: 1},
};

const addAgent = async ({grpcUrl}: Pick<TestServer, 'grpcUrl'>, {email, password}: Person): Promise<string> => {
	const device = connectGrpc({url: grpcUrl});
	const {api_key} = await device.peer.login({email, password, device_name: 'host'});
	const agent = connectGrpc({url: grpcUrl, apiKey: api_key});
	const {agent_id} = await agent.peer.register(host);
	await Promise.all([device.close(), agent.close()]);
	return agent_id;
};

const addCron = async (server: Pick<TestServer, 'grpcUrl'>, person: Person) => {
	const agent_id = await addAgent(server, person);
	const job = {name: 'Job', schedule: 'every day', command: 'true', agent_id};
	const {id: job_id} = await made(person.api, '/v1/cron-jobs', job);
	const execution = await made(person.api, `/v1/cron-jobs/${job_id}/run`);
	const steps = [{cron_job_id: job_id, step_order: 0}];
	const chain = await made(person.api, '/v1/cron/chains', {name: 'Chain', trigger_type: 'manual', steps});
	const started = await made(person.api, `/v1/cron/chains/${chain.id}/run`);
	return {
		...{agent_id, job_id, cron_job_id: job_id, '/v1/agents': agent_id, '/v1/cron-jobs': job_id},
		...{'/v1/cron-executions': execution.id},
		...{'/v1/cron/chains': chain.id, '/v1/cron/chain-executions': started.id},
	};
};

/** Gives a person one of everything. @param anyone - the API without credentials */
export const addResources = async (
	server: Pick<TestServer, 'grpcUrl'>,
	anyone: Api,
	person: Person,
): Promise<Resources> => {
	const {api} = person;
	const key = await made(api, '/v1/api-keys', {name: 'key'});
	const team = await made(api, '/v1/teams', {name: 'Team'});
	const variable = await made(api, '/v1/environment', {key: 'TOKEN', value: 'x'});
	const channel = await made(api, '/v1/notification-channels', {type: 'slack', url: nowhere, events: ['system']});
	return {
		...{user_id: person.id, team_id: team.id},
		...{'/v1/api-keys': key.id, '/v1/teams': team.id, '/v1/environment': variable.id},
		...{'/v1/notification-channels': channel.id},
		...(await addMcp(anyone, person)),
		...(await addWebhook(anyone, person)),
		...(await addCron(server, person)),
	};
};

/** The resource that a parameter of an operation's path stands for: an `id` is one of the collection before it. */
export const resourceFor = ({path}: Operation, resources: Resources, name: string): string | undefined =>
	resources[name === 'id' ? path.slice(0, path.indexOf('/{')) : name];

/**
 * An operation's path, with what a test chose for a parameter, and one of the resources for the others.
 * @throws Error for a kind of resource that nobody made: add it to those above.
 */
export const pathTo = (operation: Operation, resources: Resources, chosen: Resources = {}): string =>
	operation.path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) => {
		const found = chosen[name] ?? resourceFor(operation, resources, name);
		if (found === undefined) throw new Error(`${operation.id} needs a resource for ${name}`);
		return found;
	});

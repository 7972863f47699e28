import {watchAnswers} from './openapi/watch-answers.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by what the tests assert of them
export type Body = any;

export type Reply = Readonly<{status: number; headers: Headers; body: Body; text: string}>;

export type Api = Readonly<{
	get(path: string, headers?: Record<string, string>): Promise<Reply>;
	post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
	put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
	delete(path: string, headers?: Record<string, string>): Promise<Reply>;
	/** The same server, with these headers on every request. */
	with(headers: Record<string, string>): Api;
}>;

const readReply = async (response: Response): Promise<Reply> => {
	const text = await response.text();
	const isJson = response.headers.get('content-type')?.includes('application/json') ?? false;
	return {
		status: response.status,
		headers: response.headers,
		body: isJson && text !== '' ? JSON.parse(text) : undefined,
		text,
	};
};

type Sent = Readonly<{body?: unknown; headers: Record<string, string> | undefined}>;

/**
 * A plain JSON client: it adds nothing but the content type, so that tests see what the server really does. Every answer
 * of its server is held against the OpenAPI document.
 */
export const createApi = (baseUrl: string, common: Record<string, string> = {}): Api => {
	watchAnswers(baseUrl);
	const send = async (method: string, path: string, {body, headers}: Sent) => {
		return readReply(
			await fetch(new URL(path, baseUrl), {
				method,
				headers: {...(body === undefined ? {} : {'content-type': 'application/json'}), ...common, ...headers},
				...(body === undefined ? {} : {body: typeof body === 'string' ? body : JSON.stringify(body)}),
				redirect: 'manual',
			}),
		);
	};
	return {
		get: async (path, headers) => send('GET', path, {headers}),
		post: async (path, body, headers) => send('POST', path, {body, headers}),
		put: async (path, body, headers) => send('PUT', path, {body, headers}),
		delete: async (path, headers) => send('DELETE', path, {headers}),
		with: (headers) => createApi(baseUrl, {...common, ...headers}),
	};
};

export const bearer = (accessToken: string): Record<string, string> => ({authorization: `Bearer ${accessToken}`});

/** A registered person: their tokens, and the API with their access token on it. */
export type Person = Readonly<{
	email: string;
	password: string;
	id: string;
	team_id: string;
	access_token: string;
	refresh_token: string;
	api: Api;
}>;

let people = 0;

/** Registers somebody new, with an address nobody else has. */
export const registerPerson = async (api: Api, name = 'person'): Promise<Person> => {
	people += 1;
	const email = `${name}-${people}-${process.pid}@example.com`;
	const password = `correct horse ${name} ${people}`;
	const reply = await api.post('/v1/auth/register', {email, password, name});
	if (reply.status !== 201) throw new Error(`register answered ${reply.status}: ${reply.text}`);
	const {access_token, refresh_token, user} = reply.body;
	return {
		email,
		password,
		id: user.id,
		team_id: user.active_team_id,
		access_token,
		refresh_token,
		api: api.with(bearer(access_token)),
	};
};

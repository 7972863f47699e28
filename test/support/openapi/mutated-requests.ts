import fc from 'fast-check';
import {type Api, createApi, registerPerson} from '../api.ts';
import {startTestServer, type TestServer} from '../server.ts';
import {type Answer, answerProblem} from './answer-problem.ts';
import {type ArbitraryRequest, arbitraryRequest} from './arbitrary-request.ts';
import {type Operation, operations} from './document.ts';
import {addResources, pathTo, type Resources} from './resources.ts';

type Sender = Readonly<{baseUrl: string; authorization: string; resources: Resources}>;

const send = async (operation: Operation, request: ArbitraryRequest, sender: Sender) => {
	const {query, path, headers, body} = request;
	const response = await fetch(`${sender.baseUrl}${pathTo(operation, sender.resources, path)}${query}`, {
		method: operation.method,
		headers: {...headers, authorization: sender.authorization},
		body: (body as Uint8Array<ArrayBuffer>) ?? null,
		redirect: 'manual',
	});
	const {status} = response;
	return {status, text: await response.text(), contentType: response.headers.get('content-type')};
};

/** No request may bring a server down to a 5xx, not even to one that the document names. */
const problemOf = (operation: Operation, answer: Answer): string | undefined =>
	answer.status >= 500 ? `${operation.id} answers ${answer.status}: ${answer.text}` : answerProblem(operation, answer);

const told = (operation: Operation, {query, path, headers, body}: ArbitraryRequest): string => {
	const text = new TextDecoder().decode(body);
	return `${operation.method} ${operation.path} ${JSON.stringify({path, query, headers})} ${text.slice(0, 400)}`;
};

const senderFor = async (server: TestServer, anyone: Api): Promise<Sender> => {
	const person = await registerPerson(anyone, 'mutant');
	const resources = await addResources(server, anyone, person);
	return {baseUrl: server.baseUrl, authorization: `Bearer ${person.access_token}`, resources};
};

/** What became of the requests. */
export type Figures = Readonly<{
	requests: number;
	operations: number;
	/** Operations that took none of their requests. */
	never_successful: readonly string[];
	problems: readonly string[];
}>;

/**
 * Sends each operation of the document so many requests that are right, nearly right and wrong, one person an operation,
 * and holds every answer against the document.
 * @param seed - the same requests again
 */
export const sendMutatedRequests = async (each: number, seed: number): Promise<Figures> => {
	const server = await startTestServer({env: {LOG_LEVEL: 'error'}});
	const anyone = createApi(server.baseUrl);
	const problems: string[] = [];
	const successful = new Set<string>();
	try {
		for (const operation of operations) {
			const sender = await senderFor(server, anyone);
			for (const request of fc.sample(arbitraryRequest(operation), {numRuns: each, seed})) {
				const answer = await send(operation, request, sender);
				if (answer.status < 300) successful.add(operation.id);
				const problem = problemOf(operation, answer);
				if (problem !== undefined) problems.push(`${problem}\n  to ${told(operation, request)}`);
			}
		}
	} finally {
		await server.close();
	}
	const never_successful = operations.map(({id}) => id).filter((id) => !successful.has(id));
	return {requests: each * operations.length, operations: operations.length, never_successful, problems};
};

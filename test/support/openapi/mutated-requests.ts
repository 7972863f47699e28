import fc from 'fast-check';
import {type Api, createApi, registerPerson} from '../api.ts';
import {startTestServer, type TestServer} from '../server.ts';
import {type Answer, answerProblem} from './answer-problem.ts';
import {type ArbitraryRequest, arbitraryRequest} from './arbitrary-request.ts';
import {type Operation, operations, streams} from './document.ts';
import {addResources, pathTo, type Resources} from './resources.ts';
import {unwatchAnswers} from './watch-answers.ts';

const all = [...operations, ...streams];

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
	const contentType = response.headers.get('content-type');
	if (contentType?.startsWith('text/event-stream')) {
		await response.body?.cancel();
		return {status, text: '', contentType};
	}
	return {status, text: await response.text(), contentType};
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

/** What a bulk operation made is what it finds the next time: after a few the person has too much, and another one goes on. */
const hasGrown = ({status, text}: Answer): boolean => status < 300 && /^\{"count":\d{3}/.test(text);

/** The problems of one operation, and whether it took any of its requests. */
const sendTo = async (
	operation: Operation,
	requests: readonly ArbitraryRequest[],
	newSender: () => Promise<Sender>,
) => {
	const problems: string[] = [];
	let successes = 0;
	let sender = await newSender();
	for (const request of requests) {
		const answer = await send(operation, request, sender);
		if (answer.status < 300) successes += 1;
		const problem = problemOf(operation, answer);
		if (problem !== undefined) problems.push(`${problem}\n  to ${told(operation, request)}`);
		if (hasGrown(answer)) sender = await newSender();
	}
	return {problems, successes};
};

/**
 * Sends each operation of the document so many requests that are right, nearly right and wrong, one person an operation that
 * changes something and one for all that read, and holds every answer against the document.
 * @param seed - the same requests again
 * @param tell - what became of an operation, as soon as it is known
 */
export const sendMutatedRequests = async (
	each: number,
	seed: number,
	tell: (line: string) => void = () => undefined,
): Promise<Figures> => {
	const server = await startTestServer({env: {LOG_LEVEL: 'error'}});
	unwatchAnswers(server.baseUrl);
	const anyone = createApi(server.baseUrl);
	const problems: string[] = [];
	const never_successful: string[] = [];
	try {
		const reader = await senderFor(server, anyone);
		for (const operation of all) {
			const requests = fc.sample(arbitraryRequest(operation), {numRuns: each, seed});
			const newSender = async () => (operation.method === 'GET' ? reader : senderFor(server, anyone));
			const outcome = await sendTo(operation, requests, newSender);
			problems.push(...outcome.problems);
			if (outcome.successes === 0) never_successful.push(operation.id);
			tell(`${operation.id}: ${outcome.successes} successes, ${outcome.problems.length} problems`);
			for (const problem of outcome.problems.slice(0, 3)) tell(problem);
		}
	} finally {
		await server.close();
	}
	return {requests: each * all.length, operations: all.length, never_successful, problems};
};

import {sendMutatedRequests} from '../support/openapi/mutated-requests.ts';

const each = Number(process.env.REQUESTS ?? 1000);

/** Requests of all kinds to every operation of the document: none provokes a 5xx, and every answer fits its schema. */
export const tortureRequests = async (): Promise<void> => {
	const seed = Number(process.env.SEED ?? Math.trunc(Math.random() * 2 ** 31));
	const {problems, operations, requests, never_successful} = await sendMutatedRequests(each, seed, console.log);
	console.log(`${requests} requests to ${operations} operations, SEED=${seed}, ${problems.length} problems`);
	console.log(`never successful: ${never_successful.join(', ') || 'none'}`);
	if (problems.length > 0) throw new Error('answers broke the document');
};

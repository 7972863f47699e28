import {parseJson, writeJson} from '../parse-json.ts';
import type {BoundedCopy} from './bounded-copy.ts';
import {type CallVerdict, isResponse, judgeHttp, judgeResponse, success} from './judge-answer.ts';
import {type CallOutcome, type CallRecord, settleAll} from './record-call.ts';

type Response = Readonly<Record<string, unknown>>;

/** An upstream that cannot tell whose call failed answers under null: with one call there is no doubt. */
const responseTo = ({id}: CallRecord, responses: readonly Response[], isOnly: boolean): Response | undefined =>
	responses.find((response) => response.id === id || (isOnly && response.id === null));

/** A result under an HTTP status of failure is none. */
const judge = (response: Response, status_code: number): CallVerdict => {
	const verdict = judgeResponse(response);
	return verdict.status === 'success' && status_code >= 300 ? judgeHttp(status_code) : verdict;
};

/** Of what is too large to be read, all that can be seen is whether it begins and ends as a response does. */
const mayBeResponse = (copy: BoundedCopy): boolean =>
	/^\s*[{[]/.test(copy.bytes().toString('latin1', 0, copy.tail().length)) &&
	/[}\]]\s*$/.test(copy.tail().toString('latin1'));

const responsesIn = (value: unknown): readonly Response[] => {
	if (Array.isArray(value)) return value.filter(isResponse);
	return isResponse(value) ? [value] : [];
};

/** Settles each call by the response that the whole document holds for it, or by the HTTP status where it holds none. */
export const settleWhole = (calls: readonly CallRecord[], status_code: number, bytes: Buffer): Promise<unknown> => {
	const value = parseJson(bytes.toString());
	const responses = responsesIn(value);
	const outcomeOf = (call: CallRecord): CallOutcome => {
		const response = responseTo(call, responses, calls.length === 1);
		if (response === undefined) return {...judgeHttp(status_code), status_code, response_body: bytes};
		const own = Array.isArray(value) ? writeJson(response) : undefined;
		const response_body = own === undefined ? bytes : Buffer.from(own);
		return {...judge(response, status_code), status_code, response_body};
	};
	const [only] = calls;
	if (only !== undefined && calls.length === 1) return only.settle(outcomeOf(only));
	return Promise.all(calls.map((call) => call.settle(outcomeOf(call))));
};

/** The same for a document of which the end may be missing. */
export const settleDocument = async (
	calls: readonly CallRecord[],
	status_code: number,
	copy: BoundedCopy,
): Promise<void> => {
	if (calls.length === 0) return;
	if (copy.isWhole() || status_code >= 300) return void (await settleWhole(calls, status_code, copy.bytes()));
	const verdict = mayBeResponse(copy) ? success : judgeHttp(status_code);
	await settleAll(calls, {...verdict, status_code, response_body: copy.bytes()});
};

import {apiErrorOf} from './api-error.ts';
import {buildRequest} from './build-request.ts';
import type {Call, OperationRow} from './operation.ts';
import type {Session} from './session.ts';

type Options = Readonly<{baseUrl: string; apiKey?: string; teamId?: string}>;

const credentialsOf = async ({apiKey}: Options, session: Session): Promise<Record<string, string>> => {
	if (apiKey !== undefined) return {'x-api-key': apiKey};
	const token = await session.accessToken();
	return token === undefined ? {} : {authorization: `Bearer ${token}`};
};

/** Makes calls as whoever the options and the session say, each answering the body of its success. @throws ApiError */
export const createCall = (options: Options, session: Session): Call => {
	const {baseUrl, teamId} = options;
	const headersOf = async ([, , , , isOpen]: OperationRow) =>
		isOpen ? {} : {'x-team-id': teamId, ...(await credentialsOf(options, session))};
	return async (operation, {headers, ...rest}) => {
		const request = buildRequest(
			operation,
			{baseUrl, common: await headersOf(operation)},
			{...rest, ...(headers && {headers})},
		);
		const response = await session.send(request);
		if (!response.ok) throw await apiErrorOf(operation[0], response);
		return response.status === 204 ? undefined : response.json();
	};
};

type Problem = Readonly<{
	code: string;
	message: string;
	details?: readonly Readonly<{path: string; message: string}>[];
	request_id: string;
}>;

const problemOf = (body: unknown): Problem | undefined => {
	if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
	const {error} = body as Readonly<{error: Problem | null}>;
	return typeof error?.code === 'string' ? error : undefined;
};

type Refused = Readonly<{
	/** The operation that was called, like `mcp.approvals.approve`. */
	operation: string;
	response: Response;
	/** The parsed body, or its text. */
	body: unknown;
}>;

/** The API answered, and said no. What never was answered rejects with whatever fetch throws instead. */
export class ApiError extends Error {
	override readonly name = 'ApiError';
	/** The operation that was called, like `mcp.approvals.approve`. */
	readonly operation: string;
	/** HTTP status. */
	readonly status: number;
	/** Stable code, e.g. `validation_error`; undefined when something before the API answered, such as a gateway. */
	readonly code: string | undefined;
	/** Which fields are at fault, and why. */
	readonly details: readonly Readonly<{path: string; message: string}>[];
	/** Names the request in the server's logs. */
	readonly requestId: string | undefined;

	constructor({operation, response, body}: Refused) {
		const problem = problemOf(body);
		super(problem?.message ?? `The API answered ${response.status}`);
		this.operation = operation;
		this.status = response.status;
		this.code = problem?.code;
		this.details = problem?.details ?? [];
		this.requestId = problem?.request_id ?? response.headers.get('x-request-id') ?? undefined;
	}
}

/** The error that an answer stands for; reads its body. */
export const apiErrorOf = async (operation: string, response: Response): Promise<ApiError> => {
	const text = await response.text();
	try {
		return new ApiError({operation, response, body: JSON.parse(text)});
	} catch {
		return new ApiError({operation, response, body: text});
	}
};

/** How what is asked is written and read; the generated services say it of each of their methods. */
export type Asked<Request> = Readonly<{
	requestSerialize(request: Request): Buffer;
	requestDeserialize(bytes: Buffer): Request;
}>;

/** The same, and of the answer. */
export type Method<Request, Response> = Asked<Request> &
	Readonly<{
		path: string;
		responseSerialize(response: Response): Buffer;
		responseDeserialize(bytes: Buffer): Response;
	}>;

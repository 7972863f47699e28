import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Ids} from '@signalbox/core';

const saneRequestId = /^[A-Za-z0-9._:-]{1,128}$/;

/** The client's own id when it is a sane token, otherwise a new one. */
export const chooseRequestId = (req: IncomingMessage, ids: Ids): string => {
	const sent = req.headers['x-request-id'];
	return typeof sent === 'string' && saneRequestId.test(sent) ? sent : ids.next();
};

/**
 * The id of the request, set on its answer: the client's own when it is a sane token, otherwise a new one. Asked again
 * about the same request it answers the same.
 */
export const requestIdOf = (req: IncomingMessage, res: ServerResponse, ids: Ids): string => {
	const given = res.getHeader('x-request-id');
	if (typeof given === 'string') return given;
	const id = chooseRequestId(req, ids);
	res.setHeader('X-Request-Id', id);
	return id;
};

import type {Request, ResponseObject, ResponseToolkit} from '@hapi/hapi';
import {plainPage, plainPageHeaders} from './plain-page.ts';

const html = plainPage(
	'There is no such page',
	'<p>The address may be mistyped, or what stood here is gone.</p>\n<p><a href="/">Go to the dashboard</a></p>',
);

/** Where programs call, and a browser that looks sees what they see. */
const forPrograms = /^\/(v1|p|wh|\.well-known)(\/|$)/;

/** Browsers ask for HTML, and not for JSON, when a person opens an address. */
const isOpenedByPerson = ({method, headers}: Request): boolean => {
	const accept = String(headers.accept ?? '');
	return ['get', 'head'].includes(method) && /\btext\/html\b/i.test(accept) && !/\bjson\b/i.test(accept);
};

/** Whether a page says it better that there is nothing. */
export const wantsNotFoundPage = (request: Request, status: number): boolean =>
	status === 404 && isOpenedByPerson(request) && !forPrograms.test(request.path);

export const notFoundPage = (h: ResponseToolkit): ResponseObject => {
	const response = h.response(html).type('text/html; charset=utf-8').vary('accept');
	for (const [name, value] of Object.entries(plainPageHeaders("'none'"))) response.header(name, value);
	return response;
};

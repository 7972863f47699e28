import type {IncomingMessage} from 'node:http';

/** A name and password before the host is an error (RFC 9110, 4.2.4), and so is no host: such a target stays as it is. */
const absolute = /^https?:\/\/(?<authority>[^/?#@\\\s]+)(?<rest>(?:[/?].*)?)$/i;

/**
 * Puts a target in the form for proxies, which a server must accept from anyone (RFC 9112, 3.2.2), into the form in which all
 * others come. The host that it names takes the place of the `Host`, which does not count then: whoever judges where a request
 * was sent to judges what the sender asked for.
 */
export const toOriginForm = (request: IncomingMessage): void => {
	const {url = ''} = request;
	if (url.startsWith('/')) return;
	const {authority, rest = ''} = absolute.exec(url)?.groups ?? {};
	if (authority === undefined) return;
	request.url = rest.startsWith('/') ? rest : `/${rest}`;
	request.headers.host = authority;
};

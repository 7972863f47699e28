import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Request, ResponseObject, ResponseToolkit, Server} from '@hapi/hapi';
import inert from '@hapi/inert';
import {DomainError} from '@signalbox/core';
import {applicationHeaders} from '../http/security-headers.ts';
import type {Addresses} from '../server-settings.ts';

/** As the dashboard was built: its files, each compressed beside itself, and `pages.json`. */
export const builtDashboard = join(
	dirname(fileURLToPath(import.meta.resolve('@signalbox/dashboard/package.json'))),
	'dist',
);

const types: Readonly<Record<string, string>> = {
	js: 'text/javascript; charset=utf-8',
	css: 'text/css; charset=utf-8',
	svg: 'image/svg+xml',
	woff2: 'font/woff2',
};

/** Fonts are compressed in themselves. */
const extensionOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
const isCompressed = (name: string): boolean => extensionOf(name) !== 'woff2';

/** How a file was compressed beside itself, in the order of preference, by what a browser accepts. */
const encodingsOf = ({headers}: Request): readonly string[] => {
	const accepted = String(headers['accept-encoding'] ?? '').split(/\s*,\s*/);
	return ['br', 'gzip'].filter((encoding) => accepted.includes(encoding));
};

const suffixes: Readonly<Record<string, string>> = {br: '.br', gzip: '.gz'};

type Exchange = Readonly<{request: Request; h: ResponseToolkit}>;

const serve = ({request, h}: Exchange, directory: string, name: string): ResponseObject => {
	const [encoding] = isCompressed(name) ? encodingsOf(request) : [];
	const path = encoding === undefined ? name : `${name}${suffixes[encoding]}`;
	const response = h.file(path, {confine: directory, etagMethod: 'hash'}).type(types[extensionOf(name)] ?? '');
	if (encoding !== undefined) response.header('content-encoding', encoding);
	if (isCompressed(name)) response.vary('accept-encoding');
	return response;
};

/** `/approvals/:id` as hapi writes it. */
const hapiPath = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

/** What the page says of the server: where clients of the proxy, and senders of webhooks, are sent. */
const indexOf = async (directory: string, addresses: Addresses): Promise<string> => {
	const html = await readFile(join(directory, 'index.html'), 'utf8');
	return html
		.replace('content="proxy-url"', () => `content="${encodeURI(addresses.proxy_url)}"`)
		.replace('content="hook-url"', () => `content="${encodeURI(addresses.hook_url)}"`);
};

const addPages = (server: Server, paths: readonly string[], html: string): void => {
	const tag = createHash('sha256').update(html).digest('base64url');
	const handler = (_request: Request, h: ResponseToolkit): ResponseObject => {
		const response = h.response(html).type('text/html; charset=utf-8').etag(tag);
		response.header('cache-control', 'no-cache');
		for (const [header, value] of Object.entries(applicationHeaders)) response.header(header, value);
		return response;
	};
	for (const path of paths) server.route({method: 'GET', path: hapiPath(path), handler});
};

const assetName = /^[\w.-]+$/;

const addFiles = (server: Server, directory: string): void => {
	server.route({
		method: 'GET',
		path: '/assets/{name}',
		handler: (request, h) => {
			const name = String(request.params.name);
			if (!assetName.test(name) || !(extensionOf(name) in types)) throw new DomainError('resource_not_found');
			// A name holds a hash of what is in the file.
			return serve({request, h}, join(directory, 'assets'), name).header(
				'cache-control',
				'public, max-age=31536000, immutable',
			);
		},
	});
};

const readPages = async (directory: string): Promise<readonly string[] | undefined> => {
	try {
		return JSON.parse(await readFile(join(directory, 'pages.json'), 'utf8'));
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw error;
	}
};

/** Serves the dashboard: its pages, which are one file, and what that file loads. Without a build `/` leads to the reference. */
export const addDashboard = async (server: Server, directory: string, addresses: Addresses): Promise<void> => {
	const pages = await readPages(directory);
	if (pages === undefined) {
		server.route({method: 'GET', path: '/', handler: (_request, h) => h.redirect('/docs')});
		return;
	}
	await server.register(inert);
	addFiles(server, directory);
	addPages(server, pages, await indexOf(directory, addresses));
};

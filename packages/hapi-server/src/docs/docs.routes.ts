import {readFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Server} from '@hapi/hapi';
import {pageHeaders} from '../http/security-headers.ts';
import {openapiDocument, openapiYaml} from '../openapi/document.ts';

const page = `<!doctype html>
<html lang="en">
	<head>
		<meta charset="utf-8">
		<meta name="viewport" content="width=device-width, initial-scale=1">
		<title>Signalbox API reference</title>
		<link rel="stylesheet" href="/docs/swagger-ui.css">
		<link rel="stylesheet" href="/docs/dark.css" media="(prefers-color-scheme: dark) and (not (forced-colors: active))">
		<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
	</head>
	<body>
		<main id="reference"></main>
		<script src="/docs/swagger-ui-bundle.js"></script>
		<script src="/docs/start.js"></script>
	</body>
</html>
`;

const start = `window.addEventListener('load', () => {
	SwaggerUIBundle({url: '/openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null});
});
`;

const distribution = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

const distributed = (name: string) => (): Promise<Buffer> => readFile(join(distribution, name));

/** Swagger UI has a dark look, for pages on which a script sets a class; here the system says which look it is. */
const darkRules = async (): Promise<string> => {
	const css = (await distributed('swagger-ui.css')()).toString();
	const rules = css.match(/html\.dark-mode[^{}]*\{[^{}]*\}/g) ?? [];
	// As specific as the class, or what it overrides would win.
	return rules.join('\n').replaceAll('html.dark-mode', 'html:root');
};

type File = Readonly<{type: string; read(): Promise<Buffer | string>}>;

const css = 'text/css; charset=utf-8';

const files: Readonly<Record<string, File>> = {
	'swagger-ui.css': {type: css, read: distributed('swagger-ui.css')},
	'dark.css': {type: css, read: darkRules},
	'swagger-ui-bundle.js': {type: 'text/javascript; charset=utf-8', read: distributed('swagger-ui-bundle.js')},
	'favicon-32x32.png': {type: 'image/png', read: distributed('favicon-32x32.png')},
};

const addFile = (server: Server, name: string, {type, read}: File): void => {
	server.route({
		method: 'GET',
		path: `/docs/${name}`,
		handler: async (_request, h) =>
			h
				.response(await read())
				.type(type)
				.header('cache-control', 'public, max-age=86400'),
	});
};

const addPage = (server: Server, path: string, content: Readonly<{text: string; type: string}>): void => {
	server.route({
		method: 'GET',
		path,
		handler: (_request, h) => {
			const response = h.response(content.text).type(content.type);
			for (const [name, value] of Object.entries(pageHeaders)) response.header(name, value);
			return response;
		},
	});
};

/** Written when it is first asked for: a server need not wait for it to be ready. */
const addDescription = (server: Server, path: string, {write, type}: Readonly<{write: () => string; type: string}>) => {
	let text: string | undefined;
	server.route({
		method: 'GET',
		path,
		handler: (_request, h) => {
			text ??= write();
			return h.response(text).type(type);
		},
	});
};

/** The API description, and a reference to browse: our own files only. */
export const addDocs = (server: Server, baseUrl: string): void => {
	addPage(server, '/docs', {text: page, type: 'text/html; charset=utf-8'});
	addPage(server, '/docs/start.js', {text: start, type: 'text/javascript; charset=utf-8'});
	for (const [name, file] of Object.entries(files)) addFile(server, name, file);
	addDescription(server, '/openapi.json', {
		write: () => JSON.stringify(openapiDocument(baseUrl)),
		type: 'application/json; charset=utf-8',
	});
	addDescription(server, '/openapi.yaml', {
		write: () => openapiYaml(baseUrl),
		type: 'application/yaml; charset=utf-8',
	});
};

import {createHash} from 'node:crypto';
import {dataHeaders} from './security-headers.ts';

const style = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:3rem auto;padding:0 1rem}
label,input,button{display:block;width:100%;box-sizing:border-box;font:inherit}
input,button{padding:.5rem;margin:0 0 1rem}
code{font-size:1.5rem}`;

const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** What a page without scripts carries. @param formAction - where its forms may lead */
export const plainPageHeaders = (formAction: string): Readonly<Record<string, string>> => ({
	...dataHeaders,
	'content-security-policy': [
		"default-src 'none'",
		`style-src ${styleSource}`,
		`form-action ${formAction}`,
		"base-uri 'none'",
		"frame-ancestors 'none'",
	].join('; '),
	'cache-control': 'no-store',
});

/** A page without scripts, for what is no part of the dashboard. @param body - HTML in which texts of others are escaped */
export const plainPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Signalbox</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`;

import type {AnyOptions, OperationRow} from './operation.ts';

/** @throws TypeError for what would name another path. */
const segmentOf = (name: string, value: unknown): string => {
	const text = String(value ?? '');
	if (/^\.{0,2}$/.test(text)) throw new TypeError(`${name} cannot be ${JSON.stringify(value)}`);
	return encodeURIComponent(text);
};

const pathOf = (template: string, values: AnyOptions['path']): string =>
	template.replace(/\{(\w+)\}/g, (_whole, name: string) => segmentOf(name, values?.[name]));

const queryOf = (values: AnyOptions['query'] = {}): string => {
	const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
	const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
	return text && `?${text}`;
};

/** Where a path of the API is served. */
export const urlOf = (baseUrl: string, path: string): string => `${baseUrl.replace(/\/+$/, '')}${path}`;

/** The request of a call. @param common headers of every call; those of the call itself win. */
export const buildRequest = (
	[, method, path]: OperationRow,
	{baseUrl, common}: Readonly<{baseUrl: string; common: Readonly<Record<string, string | undefined>>}>,
	{path: values, query, body, headers, signal}: AnyOptions,
): Request => {
	const json = body === undefined ? undefined : JSON.stringify(body);
	const all = new Headers(json === undefined ? undefined : {'content-type': 'application/json'});
	// One after the other: names that differ in case are one header.
	for (const [name, value] of [...Object.entries(common), ...Object.entries(headers ?? {})])
		if (value !== undefined) all.set(name, String(value));
	return new Request(urlOf(baseUrl, pathOf(path, values) + queryOf(query)), {
		method,
		headers: all,
		...(json !== undefined && {body: json}),
		...(signal && {signal}),
	});
};

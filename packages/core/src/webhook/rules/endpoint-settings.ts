import type {ErrorDetail} from '../../values/error-detail.ts';
import type {ReadSettings} from '../../values/read-settings.ts';
import {isSameJson} from '../../values/same-json.ts';
import {schemaProblems} from '../../values/schema-problems.ts';
import {destinationUrlProblem} from '../../values/template.ts';
import type {EndpointRecord} from '../model/endpoint.ts';
import {
	type EndpointSettings,
	endpointSettingsSchema,
	type ParsedEndpointSettings,
} from '../model/endpoint-settings.ts';

/** The settings of an endpoint that are not sealed. */
type PlainSettings = Pick<
	EndpointRecord,
	'name' | 'destination_url' | 'routing_mode' | 'retry_config' | 'response' | 'is_active'
>;

export const defaultEndpointSettings: Omit<PlainSettings, 'name' | 'destination_url'> = {
	routing_mode: 'single',
	retry_config: null,
	response: null,
	is_active: true,
};

/** Reads what a request wants to set; `required` are the fields that it must have. */
export const readEndpointSettings = (
	request: EndpointSettings,
	required: readonly (keyof EndpointSettings)[] = [],
): ReadSettings<ParsedEndpointSettings> => {
	const missing = required.filter((field) => request[field] === undefined);
	const read = endpointSettingsSchema.safeParse(request);
	const details: ErrorDetail[] = missing.map((field) => ({path: field, message: 'is required'}));
	if (!read.success) return {ok: false, details: [...details, ...schemaProblems(read.error)]};
	const {destination_url} = read.data;
	const problem = destination_url === undefined ? undefined : destinationUrlProblem(destination_url);
	if (problem !== undefined) details.push({path: 'destination_url', message: problem});
	return details.length === 0 ? {ok: true, value: read.data} : {ok: false, details};
};

/** The settings after the request. */
export const mergeEndpointSettings = <S extends object>(
	current: S,
	{verification: _sealed, ...plain}: ParsedEndpointSettings,
): S => ({...current, ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))});

/** What the audit keeps of a change: the new values by field name, and of secrets only that they changed. */
export const auditedEndpointChange = (before: EndpointRecord, after: EndpointRecord): Record<string, unknown> => {
	const fields = ['name', 'destination_url', 'routing_mode', 'retry_config', 'response', 'is_active'] as const;
	const changed = fields.filter((field) => !isSameJson(before[field], after[field]));
	const isVerified = [before, after].map(({verification, verification_secrets}) => [
		verification,
		verification_secrets,
	]);
	return {
		...Object.fromEntries(changed.map((field) => [field, after[field]])),
		...(!isSameJson(isVerified[0], isVerified[1]) && {verification: after.verification}),
	};
};

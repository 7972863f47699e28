import {DomainError, type ErrorReason} from '@signalbox/core';
import test from 'ava';
import {renderError} from '../../src/http/render-error.ts';

/** Every reason, the status and the code it leaves with: decisions, "Error codes". */
const table: readonly (readonly [ErrorReason, number, string])[] = [
	['validation_error', 400, 'validation_error'],
	['wrong_current_password', 400, 'invalid_credentials'],
	['invalid_credentials', 401, 'invalid_credentials'],
	['authentication_required', 401, 'authentication_required'],
	['invalid_token', 401, 'invalid_token'],
	['token_expired', 401, 'token_expired'],
	['forbidden', 403, 'forbidden'],
	['plan_limit_reached', 403, 'plan_limit_reached'],
	['resource_not_found', 404, 'resource_not_found'],
	['resource_exists', 409, 'resource_exists'],
	['conflict', 409, 'conflict'],
	['payload_too_large', 413, 'payload_too_large'],
	['unsupported_media_type', 415, 'unsupported_media_type'],
	['rate_limited', 429, 'rate_limited'],
	['internal_error', 500, 'internal_error'],
	['bad_gateway', 502, 'bad_gateway'],
	['service_unavailable', 503, 'service_unavailable'],
	['gateway_timeout', 504, 'gateway_timeout'],
];

for (const [reason, status, code] of table) {
	test(`${reason} leaves as ${status} ${code}`, (t) => {
		const rendered = renderError(new DomainError(reason), 'r-1');
		t.is(rendered.status, status);
		t.is(rendered.body.error.code, code);
		t.is(rendered.body.error.request_id, 'r-1');
		t.true(rendered.body.error.message.length > 0);
	});
}

test('an answer says when to try again where that is known, and always where waiting alone helps', (t) => {
	const headersOf = (reason: ErrorReason, data = {}) => renderError(new DomainError(reason, data), 'r').headers;
	t.deepEqual(headersOf('conflict', {retryAfterSeconds: 1}), {'retry-after': '1'});
	t.deepEqual(headersOf('conflict'), {});
	t.deepEqual(headersOf('rate_limited', {retryAfterSeconds: 7}), {'retry-after': '7'});
	t.deepEqual(headersOf('service_unavailable'), {'retry-after': '1'});
});

const codeOf = (reason: ErrorReason) => renderError(new DomainError(reason), '').body.error.code;

test('[HTTP-038 HTTP-039 HTTP-040] upstream failures and unavailability have codes of their own', (t) => {
	t.deepEqual(
		[codeOf('bad_gateway'), codeOf('service_unavailable'), codeOf('gateway_timeout')],
		['bad_gateway', 'service_unavailable', 'gateway_timeout'],
	);
});

test('[HTTP-019 HTTP-020] the envelope has code, message, request_id, and details only where there are some', (t) => {
	const details = [{path: 'key', message: 'is required'}];
	const {error} = renderError(new DomainError('validation_error', {message: 'key: is required', details}), 'r').body;
	t.deepEqual(error, {code: 'validation_error', message: 'key: is required', details, request_id: 'r'});
	t.deepEqual(Object.keys(renderError(new DomainError('conflict'), 'r').body), ['error']);
	t.deepEqual(Object.keys(renderError(new DomainError('conflict'), 'r').body.error), ['code', 'message', 'request_id']);
});

test('[HTTP-036 HTTP-037] what was not thrown on purpose is a 500 that says nothing about itself', (t) => {
	for (const thrown of [new Error('password=hunter2'), 'text', undefined, null, {statusCode: 200}]) {
		const rendered = renderError(thrown, 'r');
		t.is(rendered.status, 500);
		t.is(rendered.body.error.code, 'internal_error');
		t.false(JSON.stringify(rendered).includes('hunter2'));
	}
});

test('401 says how to authenticate; 429 and 503 say when to come back', (t) => {
	const headersOf = (error: DomainError) => renderError(error, 'r').headers;
	t.deepEqual(headersOf(new DomainError('authentication_required')), {'www-authenticate': 'Bearer realm="signalbox"'});
	t.true(headersOf(new DomainError('token_expired'))['www-authenticate']?.includes('error="invalid_token"'));
	t.deepEqual(headersOf(new DomainError('rate_limited', {retryAfterSeconds: 7})), {'retry-after': '7'});
	t.deepEqual(headersOf(new DomainError('service_unavailable')), {'retry-after': '1'});
});

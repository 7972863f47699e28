import {invalidField} from './errors.ts';
import type {Instant} from './values/instant.ts';
import type {PageRequest} from './values/page.ts';

/** @throws validation_error naming the field, unless it is a whole number in that range. */
export const demandWithin = (field: string, value: number, {from, to}: Readonly<{from: number; to: number}>): void => {
	if (!Number.isInteger(value) || value < from || value > to) {
		throw invalidField(field, `must be a whole number from ${from} to ${to}`);
	}
};

/** The page as it is asked of a store. @param most that `limit` may be. @throws validation_error */
export const checkedPage = ({limit, offset}: PageRequest, most = 100): PageRequest => {
	demandWithin('limit', limit, {from: 1, to: most});
	demandWithin('offset', offset, {from: 0, to: Number.MAX_SAFE_INTEGER});
	return {limit, offset};
};

const isoTime = /^\d{4}-\d{2}-\d{2}(T.+(Z|[+-]\d{2}:?\d{2}))?$/;

const instantFrom = (field: string, text: string | undefined): Instant | undefined => {
	if (text === undefined) return undefined;
	const date = new Date(isoTime.test(text) ? text : Number.NaN);
	if (Number.isNaN(date.getTime())) throw invalidField(field, 'must be an ISO 8601 time with its zone, or a date');
	return date.toISOString();
};

type Span = Readonly<{from?: string | undefined; to?: string | undefined}>;

/** The filter as it is asked of a store: instants compare as text, so each must be in the one form that is stored. @throws validation_error */
export const checkedSpan = <F extends Span>(filter: F): F => ({
	...filter,
	from: instantFrom('from', filter.from),
	to: instantFrom('to', filter.to),
});

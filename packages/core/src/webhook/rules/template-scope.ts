import {Drop} from 'liquidjs';
import {longNumberOf} from '../../values/parse-json.ts';
import type {TemplateScope} from './body-template.ts';
import type {MessageView} from './message-view.ts';
import {shownHeaders} from './shown-headers.ts';

/** A number that a double cannot hold: a template inserts it with the digits that came. */
class LongNumber extends Drop {
	readonly #number: unknown;
	readonly #digits: string;
	constructor(number: unknown, digits: string) {
		super();
		this.#number = number;
		this.#digits = digits;
	}
	override valueOf(): string {
		return this.#digits;
	}
	toJSON(): unknown {
		return this.#number;
	}
}

const templateValue = (value: unknown): unknown => {
	if (typeof value !== 'object' || value === null) return value;
	const digits = longNumberOf(value);
	if (digits !== undefined) return new LongNumber(value, digits);
	if (Array.isArray(value)) return value.map(templateValue);
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, templateValue(inner)]));
};

const sameText = (text: string): string => text;

/** What the template of a rule reads of a webhook. */
export const templateScope = (view: MessageView, event: TemplateScope['event']): TemplateScope => {
	const {headers, query, method} = view.message;
	const json = view.json();
	const lines = Object.entries(shownHeaders(headers, sameText));
	return {
		body: json.ok ? templateValue(json.value) : view.bodyText(),
		headers: Object.fromEntries(lines.map(([name, value]) => [name.toLowerCase(), value])),
		query: Object.fromEntries(new URLSearchParams(query)),
		method,
		event,
	};
};

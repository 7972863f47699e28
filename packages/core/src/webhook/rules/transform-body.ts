import {counted} from '../../values/counted.ts';
import {parseDottedPath} from '../../values/dotted-path.ts';
import type {MiddlewareConfigs} from '../model/middleware.ts';
import type {EnvMarkers} from './env-markers.ts';
import {draftJson} from './json-edit.ts';
import {byteOrderMark} from './message-view.ts';
import type {Step} from './step.ts';

const refusedNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** @throws SyntaxError for a malformed path, and for names that some readers take for more than a name. */
export const parseMemberPath = (text: string): readonly string[] => {
	const steps = parseDottedPath(text);
	const refused = steps.find((step) => refusedNames.has(step));
	if (refused !== undefined) throw new SyntaxError(`must not name ${refused}`);
	return steps;
};

/** A value of the configuration as JSON text, with a stand-in for each reference in one of its strings. */
const marked = (value: unknown, markers: EnvMarkers): string =>
	JSON.stringify(value, (_key, inner) => (typeof inner === 'string' ? markers.mark(inner) : inner));

/**
 * Sets and removes fields of a JSON body, in place: numbers of any size, the order of keys and everything else stay as
 * they came. What is both set and removed is set.
 * @throws SyntaxError for a malformed path.
 */
export const compileTransformBody = ({set = {}, remove = []}: MiddlewareConfigs['transform_body']): Step => {
	const removed = remove.map(parseMemberPath);
	const added = Object.entries(set).map(([path, value]) => ({path, steps: parseMemberPath(path), value}));
	const message = `${counted(added.length, 'field')} set, ${counted(removed.length, 'path')} removed`;
	return (view, markers) => {
		const json = view.json();
		if (!json.ok) throw new RangeError(`${json.because}, so no field of it can be changed`);
		const [mark = ''] = byteOrderMark.exec(view.bodyText()) ?? [];
		const draft = draftJson(view.bodyText().slice(mark.length));
		for (const steps of removed) draft.remove(steps);
		for (const {path, steps, value} of added) {
			const hindrance = draft.set(steps, marked(value, markers));
			if (hindrance !== undefined) throw new RangeError(`${path} cannot be set: ${hindrance}`);
		}
		const changed = mark + draft.text();
		return changed === view.bodyText() ? {outcome: 'passed', message} : {outcome: 'passed', message, body: changed};
	};
};

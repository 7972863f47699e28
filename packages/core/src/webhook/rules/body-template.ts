import {Context, Liquid, type Template} from 'liquidjs';
import {chargeCases, chargedOperators} from './charged-comparisons.ts';
import type {EnvMarkers} from './env-markers.ts';
import type {StepLimit} from './step-limit.ts';

/** What a template of a rule reads. */
export type TemplateScope = Readonly<{
	/** As JSON where it is JSON, else as text. */
	body: unknown;
	/** Names in small letters. */
	headers: Readonly<Record<string, string>>;
	query: Readonly<Record<string, string>>;
	method: string;
	event: Readonly<Record<string, unknown>>;
}>;

/** A template made ready for many webhooks. @throws RangeError when it fails: the message says where and why. */
export type BodyTemplate = (scope: TemplateScope, markers: EnvMarkers, limit: StepLimit) => string;

const memoryUnits = 5_000_000;
const longestTemplate = 64 * 1024;
/** Characters of what a template may make. */
const longestBody = 1024 * 1024;

/** Filters that evaluate an expression for each element, with no limit of time in between. */
const unbounded = ['where_exp', 'find_exp', 'find_index_exp', 'group_by_exp', 'has_exp', 'reject_exp'];

const createEngine = (): Liquid => {
	const engine = new Liquid({
		strictVariables: true,
		strictFilters: true,
		ownPropertyOnly: true,
		// No files: partials come from here, and there are none.
		templates: {},
		parseLimit: longestTemplate,
		memoryLimit: memoryUnits,
		operators: chargedOperators,
	});
	chargeCases(engine);
	for (const name of unbounded) delete engine.filters[name];
	return engine;
};

const engine = createEngine();

const plainReference = /\{\{(-?)\s*env\.([A-Za-z_][A-Za-z0-9_]{0,127})(\s*\|\s*json)?\s*(-?)\}\}/g;

/** References become variables of their own, so that nothing but their insertion can be done with them. */
const withReferences = (template: string): string => template.replace(plainReference, '{{$1 __env.$2$3 $4}}');

const captureOrReference = /\{%-?\s*(capture|endcapture)\b|\{\{-?\s*env\./g;

/** What is captured can be taken apart, and a stand-in is no value that could be. */
const capturesReference = (template: string): boolean => {
	let depth = 0;
	for (const [, tag] of template.matchAll(captureOrReference)) {
		if (tag === undefined && depth > 0) return true;
		if (tag !== undefined) depth += tag === 'capture' ? 1 : -1;
	}
	return false;
};

const parse = (template: string): Template[] => {
	if (template.length > longestTemplate) throw new SyntaxError(`is longer than ${longestTemplate} characters`);
	try {
		return engine.parse(withReferences(template));
	} catch (error) {
		throw new SyntaxError(error instanceof Error ? error.message : String(error));
	}
};

/** What references become is ours to name. */
const namesStandIns = (template: string): boolean =>
	template.includes('__env') && variablesOf(engine.parse(template)).includes('__env');

const variablesOf = (parsed: Template[]): readonly string[] => {
	try {
		return engine.globalVariablesSync(parsed);
	} catch (error) {
		// A partial: there are none.
		throw new SyntaxError(error instanceof Error ? error.message : String(error));
	}
};

/** A variable whose members are stand-ins, one for each key that the template names. */
const standIns = (template: string, markers: EnvMarkers): Readonly<Record<string, string>> =>
	Object.fromEntries(
		Array.from(template.matchAll(plainReference), ([, , key = '']) => [key, markers.mark(`{{env.${key}}}`)]),
	);

type Limits = NonNullable<ConstructorParameters<typeof Context>[3]>;

const render = (parsed: Template[], scope: object, limit: StepLimit): string => {
	const renderLimit = limit as unknown as Limits['renderLimit'];
	try {
		return engine.renderSync(parsed, new Context(scope, engine.options, {sync: true}, {renderLimit, liquid: engine}));
	} catch (error) {
		throw new RangeError(error instanceof Error ? error.message : String(error));
	}
};

/**
 * Compiles the LiquidJS template of a rule (decisions, "Templates"): unknown variables and filters are failures, only own
 * properties are read, time and size are bounded. `{{ env.KEY }}` and `{{ env.KEY | json }}` insert a variable; nothing
 * else can be done with one.
 * @throws SyntaxError with a message for people.
 */
export const compileBodyTemplate = (template: string): BodyTemplate => {
	const parsed = parse(template);
	if (variablesOf(parsed).includes('env') || namesStandIns(template) || capturesReference(template))
		throw new SyntaxError('env can only be inserted as it is: {{ env.KEY }} or {{ env.KEY | json }}');
	return (scope, markers, limit) => {
		const body = render(parsed, {...scope, __env: standIns(template, markers)}, limit);
		if (body.length > longestBody) throw new RangeError(`The template makes more than ${longestBody} characters.`);
		return body;
	};
};

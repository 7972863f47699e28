import {builtinModules} from 'node:module';
import {type Import, importsOf} from './imports.ts';
import type {Checker} from './sources.ts';

type Layer =
	| 'door'
	| 'create-core'
	| 'errors'
	| 'settings'
	| 'ports'
	| 'values'
	| 'model'
	| 'rules'
	| 'service'
	| 'memory'
	| 'node'
	| 'testing';

type Place = Readonly<{layer: Layer; domain?: string}>;

const core = 'packages/core/src/';
const topLevel: Readonly<Record<string, Layer>> = {
	'index.ts': 'door',
	'create-core.ts': 'create-core',
	'errors.ts': 'errors',
	'settings.ts': 'settings',
};
const folders: readonly Layer[] = ['ports', 'values', 'memory', 'node', 'testing'];
const inner: readonly Layer[] = ['model', 'rules'];

const placeOf = (path: string): Place => {
	const [first = '', second = ''] = path.slice(core.length).split('/');
	if (second === '') return {layer: topLevel[first] ?? 'service'};
	const folder = folders.find((layer) => layer === first);
	if (folder) return {layer: folder};
	return {layer: inner.find((layer) => layer === second) ?? 'service', domain: first};
};

const adapterNeeds: readonly Layer[] = ['errors', 'settings', 'ports', 'values', 'model', 'rules'];

/** Which layers of core a layer may name; its own always. */
const mayName: Readonly<Record<Layer, readonly Layer[]>> = {
	values: [],
	errors: ['values'],
	model: ['values'],
	rules: ['model', 'values'],
	ports: ['model', 'values', 'errors'],
	settings: ['model', 'values'],
	service: ['model', 'rules', 'ports', 'values', 'errors', 'settings'],
	'create-core': ['service', ...adapterNeeds],
	door: ['create-core', 'service', ...adapterNeeds],
	memory: adapterNeeds,
	node: adapterNeeds,
	testing: ['create-core', 'memory', 'node', ...adapterNeeds],
};

const packagesOf: Readonly<Partial<Record<Layer, readonly string[]>>> = {
	node: ['@node-rs/argon2', 'jose'],
	// Pure like what stands there: paths, patterns and templates of people, read and applied.
	values: ['json-p3', 're2js'],
	rules: ['croner', 'liquidjs'],
};

const isBuiltin = (specifier: string): boolean => specifier.startsWith('node:') || builtinModules.includes(specifier);

const isForeignDomain = (from: Place, to: Place): boolean =>
	from.domain !== undefined && to.domain !== undefined && from.domain !== to.domain;

const isRelativeAllowed = (from: Place, to: Place, typeOnly: boolean): boolean => {
	if (from.layer === 'service' && to.layer === 'service') return typeOnly || !isForeignDomain(from, to) || !to.domain;
	if (from.layer === 'service' && to.layer === 'rules') return !isForeignDomain(from, to);
	return from.layer === to.layer || mayName[from.layer].includes(to.layer);
};

const isPackageAllowed = (layer: Layer, specifier: string): boolean =>
	specifier === 'zod' || (layer === 'node' && isBuiltin(specifier)) || (packagesOf[layer] ?? []).includes(specifier);

const isAllowed = ({from, target, relative, typeOnly}: Import): boolean => {
	const place = placeOf(from);
	if (!relative) return isPackageAllowed(place.layer, target);
	return target.startsWith(core) && isRelativeAllowed(place, placeOf(target), typeOnly);
};

/**
 * The layers of the domain: who may import whom inside core, and that nothing but zod comes in from outside, except in
 * node/, where the Node built-ins, argon2 and jose live. No HTTP and no SQL package can therefore be named anywhere.
 */
export const findLayerViolations: Checker = (sources) =>
	sources
		.filter(({path}) => path.startsWith(core))
		.flatMap(importsOf)
		.filter((each) => !isAllowed(each))
		.map(({from, target}) => `${from} must not import ${target}`);

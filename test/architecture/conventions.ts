import ts from 'typescript';
import {type Checker, descendants, isTest, parse, placeOf, type Source} from './sources.ts';

const isPackageSource = ({path}: Source): boolean => /^packages\/[^/]+\/src\//.test(path);

const nodesOf = (sources: readonly Source[]): readonly ts.Node[] =>
	sources.flatMap((source) => descendants(parse(source)));

const violations = (sources: readonly Source[], breaks: (node: ts.Node) => boolean, why: string): readonly string[] =>
	nodesOf(sources)
		.filter(breaks)
		.map((node) => `${placeOf(node)}: ${why}`);

/** A door names what it opens. */
export const findStarExports: Checker = (sources) =>
	violations(
		sources,
		(node) => ts.isExportDeclaration(node) && (!node.exportClause || ts.isNamespaceExport(node.exportClause)),
		'names what it exports, never *',
	);

const isEnvironment = (node: ts.Node): boolean =>
	(ts.isPropertyAccessExpression(node) && node.name.text === 'env' && node.expression.getText() === 'process') ||
	(ts.isElementAccessExpression(node) && /^process\[['"]env['"]\]$/.test(node.getText())) ||
	(ts.isVariableDeclaration(node) && node.initializer?.getText() === 'process');

/** Configuration is read once, by main.ts. */
export const findEnvironmentReaders: Checker = (sources) =>
	violations(
		sources.filter((each) => isPackageSource(each) && !each.path.endsWith('/src/main.ts')),
		isEnvironment,
		'process.env is read in main.ts only',
	);

const impureCall = /^(Date\.now|Math\.random|performance\.now|crypto\.(randomUUID|getRandomValues)|Date)$/;

const isImpure = (node: ts.Node): boolean =>
	(ts.isNewExpression(node) && node.expression.getText() === 'Date' && (node.arguments?.length ?? 0) === 0) ||
	(ts.isPropertyAccessExpression(node) && impureCall.test(node.getText())) ||
	(ts.isCallExpression(node) && impureCall.test(node.expression.getText())) ||
	ts.isAwaitExpression(node) ||
	(ts.isIdentifier(node) && node.text === 'Promise');

/** Rules are pure and synchronous: what time it is, and every other fact, is handed in. */
export const findImpureRules: Checker = (sources) =>
	violations(
		sources.filter((each) => isPackageSource(each) && each.path.includes('/rules/')),
		isImpure,
		'a rule is pure and synchronous',
	);

const nodeGlobals = ['process', 'Buffer', 'global', 'require', '__dirname', '__filename', 'setImmediate'];

const isFreeName = (node: ts.Node): node is ts.Identifier => {
	if (!ts.isIdentifier(node)) return false;
	const {parent} = node;
	if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent))
		return (ts.isPropertyAccessExpression(parent) ? parent.expression : parent.left) === node;
	const named = (parent as ts.Node & {name?: ts.Node}).name;
	return named !== node && (parent as ts.Node & {propertyName?: ts.Node}).propertyName !== node;
};

const knowsNode = /^packages\/core\/src\/(node|testing)\//;

/** Core runs wherever JavaScript does; only node/ knows Node, and testing/ runs where tests do. */
export const findNodeGlobals: Checker = (sources) =>
	violations(
		sources.filter(({path}) => path.startsWith('packages/core/src/') && !knowsNode.test(path)),
		(node) => isFreeName(node) && nodeGlobals.includes(node.text),
		'core uses no Node global',
	);

const vagueName = /(^|[-./])(utils?|helpers?|common|managers?|misc)([-./]|$)/i;
const doors = /^packages\/([^/]+\/src|core\/src\/(ports|memory|node|testing))\/index\.ts$/;

/** A file is named after what it does; index.ts is a door and nothing else. */
export const findVagueNames: Checker = (sources) =>
	sources.flatMap(({path}) => {
		if (vagueName.test(path)) return [`${path}: is named after nothing it does`];
		return /(^|\/)index\.[jt]s$/.test(path) && !doors.test(path) ? [`${path}: index.ts is for doors`] : [];
	});

const portsDoor = 'packages/core/src/ports/index.ts';
const coreDoor = 'packages/core/src/index.ts';

const namedBy = (sources: readonly Source[], door: string): readonly string[] =>
	nodesOf(sources.filter(({path}) => path === door)).flatMap((node) =>
		ts.isImportSpecifier(node) || ts.isExportSpecifier(node) || ts.isTypeAliasDeclaration(node) ? [node.name.text] : [],
	);

/** Who writes a store or a clock of their own has only the package's door to take its types from. */
export const findHiddenPorts: Checker = (sources) => {
	const open = new Set(namedBy(sources, coreDoor));
	const hidden = [...new Set(namedBy(sources, portsDoor))].filter((name) => !open.has(name));
	return hidden.map((name) => `${coreDoor}: does not export the port ${name}`);
};

const unprovingModifier = /^test(\.serial)?\.(only|skip|failing|todo|serial\.(only|skip|failing|todo))$/;

/** Every test runs, and passes because what it says is so. */
export const findIdleTests: Checker = (sources) =>
	violations(
		sources.filter(isTest),
		(node) => ts.isCallExpression(node) && unprovingModifier.test(node.expression.getText()),
		'no only, skip, failing or todo',
	);

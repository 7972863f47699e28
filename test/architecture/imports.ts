import {posix} from 'node:path';
import ts from 'typescript';
import {descendants, parse, type Source} from './sources.ts';

/** One file names another, or a package. `target` is a path of ours for a relative import, else the specifier as written. */
export type Import = Readonly<{from: string; target: string; relative: boolean; typeOnly: boolean}>;

const isTypeOnly = (node: ts.Node): boolean => {
	if (ts.isImportTypeNode(node)) return true;
	if (ts.isExportDeclaration(node)) return node.isTypeOnly;
	if (!ts.isImportDeclaration(node)) return false;
	const clause = node.importClause;
	if (!clause || clause.isTypeOnly) return clause?.isTypeOnly ?? false;
	const bindings = clause.namedBindings;
	return (
		!clause.name &&
		bindings !== undefined &&
		ts.isNamedImports(bindings) &&
		bindings.elements.every((e) => e.isTypeOnly)
	);
};

const isCallThatLoads = (node: ts.Node): node is ts.CallExpression =>
	ts.isCallExpression(node) &&
	(node.expression.kind === ts.SyntaxKind.ImportKeyword ||
		/^(require|import\.meta\.resolve)$/.test(node.expression.getText()));

const specifierOf = (node: ts.Node): ts.Node | undefined => {
	if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
	if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal;
	return isCallThatLoads(node) ? node.arguments[0] : undefined;
};

/** Every import, re-export, dynamic import and type import of a file whose specifier is written out. */
export const importsOf = (source: Source): readonly Import[] =>
	descendants(parse(source)).flatMap((node) => {
		const specifier = specifierOf(node);
		if (!specifier || !ts.isStringLiteralLike(specifier)) return [];
		const relative = specifier.text.startsWith('.');
		const target = relative ? posix.join(posix.dirname(source.path), specifier.text) : specifier.text;
		return [{from: source.path, target, relative, typeOnly: isTypeOnly(node)}];
	});

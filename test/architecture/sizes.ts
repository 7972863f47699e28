import ts from 'typescript';
import {type Checker, descendants, isTest, parse, placeOf, type Source} from './sources.ts';

const mostLines = 300;
const mostLinesOfATest = 600;
const mostLinesOfAFunction = 50;
const mostParameters = 3;

const linesOf = (text: string): number => text.trimEnd().split('\n').length;

export const findLongFiles: Checker = (sources) =>
	sources.flatMap((source) => {
		const most = isTest(source) ? mostLinesOfATest : mostLines;
		const lines = linesOf(source.text);
		return lines > most ? [`${source.path}: ${lines} lines, at most ${most}`] : [];
	});

const functionsOf = (source: Source): readonly ts.SignatureDeclaration[] =>
	descendants(parse(source)).filter(
		(node): node is ts.SignatureDeclaration => ts.isFunctionLike(node) && !ts.isJSDocSignature(node),
	);

const bodyLines = (node: ts.SignatureDeclaration): number =>
	'body' in node && node.body ? linesOf(node.getText()) : 0;

export const findLongFunctions: Checker = (sources) =>
	sources
		.flatMap(functionsOf)
		.filter((node) => bodyLines(node) > mostLinesOfAFunction)
		.map((node) => `${placeOf(node)}: a function of ${bodyLines(node)} lines, at most ${mostLinesOfAFunction}`);

const parametersOf = (node: ts.SignatureDeclaration): number =>
	node.parameters.filter((parameter) => parameter.name.getText() !== 'this').length;

export const findLongParameterLists: Checker = (sources) =>
	sources
		.flatMap(functionsOf)
		.filter((node) => parametersOf(node) > mostParameters)
		.map((node) => `${placeOf(node)}: ${parametersOf(node)} parameters, at most ${mostParameters}`);

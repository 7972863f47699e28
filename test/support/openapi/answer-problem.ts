import {Ajv2020, type ValidateFunction} from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import {document, type Node, type Operation, operations} from './document.ts';

const validator = new Ajv2020({strict: false, allErrors: false});
addFormats.default(validator);
validator.addSchema({$id: 'signalbox:', components: document.components});

const compiled = new Map<Node, ValidateFunction>();

/** References of the document are found under the name that it has for the validator. */
const rebase = (schema: Node): Node =>
	JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"signalbox:#/'));

const validateWith = (schema: Node): ValidateFunction => {
	const known = compiled.get(schema) ?? validator.compile(rebase(schema));
	compiled.set(schema, known);
	return known;
};

export type Answer = Readonly<{status: number; text: string; contentType: string | null}>;

/** How an answer breaks the document, or undefined. */
export const answerProblem = ({answers, id}: Operation, {status, text, contentType}: Answer): string | undefined => {
	if (!answers.has(status)) return `${id} answers ${status}, which the document does not name: ${text.slice(0, 300)}`;
	const schema = answers.get(status);
	if (schema === undefined) return text === '' ? undefined : `${id} ${status} has a body: ${text.slice(0, 300)}`;
	if (!contentType?.startsWith('application/json')) return `${id} ${status} is no JSON but ${contentType}`;
	const validate = validateWith(schema);
	if (validate(JSON.parse(text))) return undefined;
	return `${id} ${status} breaks its schema: ${validator.errorsText(validate.errors)} in ${text.slice(0, 500)}`;
};

const patterns = operations.map((operation) => ({
	operation,
	pattern: new RegExp(`^${operation.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
	isLiteral: !operation.path.includes('{'),
}));

/** The operation that answers a request: a literal path before one with parameters. */
export const operationAt = (method: string, pathname: string): Operation | undefined => {
	const found = patterns.filter(({operation, pattern}) => operation.method === method && pattern.test(pathname));
	return (found.find(({isLiteral}) => isLiteral) ?? found[0])?.operation;
};

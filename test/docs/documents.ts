import {globSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import GithubSlugger from 'github-slugger';
import {lexer, type Token, type Tokens, walkTokens} from 'marked';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** What people read about the project. `path` is from the root of the repository, with slashes. */
export type Document = Readonly<{path: string; text: string; tokens: readonly Token[]}>;

/** A block of code in a document: its language, and what else stands behind the fence. */
export type Block = Readonly<{document: string; line: number; language: string; words: string; text: string}>;

const patterns = ['*.md', 'llms.txt', 'docs/**/*.md', 'packages/*/README.md', 'examples/*/README.md'];

const tokensOf = (text: string): readonly Token[] => {
	const tokens: Token[] = [];
	walkTokens(lexer(text), (token) => {
		tokens.push(token);
	});
	return tokens;
};

export const toDocument = (path: string, text: string): Document => ({path, text, tokens: tokensOf(text)});

export const readDocuments = (): readonly Document[] =>
	globSync(patterns, {cwd: root})
		.map((path) => path.replaceAll('\\', '/'))
		.sort()
		.map((path) => toDocument(path, readFileSync(`${root}${path}`, 'utf8')));

const isCode = (token: Token): token is Tokens.Code => token.type === 'code';

/** Every block of code, in the order of the text; without a fence, or a language behind it, `language` is empty. */
export const blocksOf = ({path, text, tokens}: Document): readonly Block[] => {
	let from = 0;
	return tokens.filter(isCode).map(({raw, lang = '', text: code}) => {
		const [opening = ''] = raw.trimStart().split('\n');
		from = text.indexOf(opening, from) + opening.length;
		const [language = '', ...words] = lang.split(' ');
		return {document: path, line: text.slice(0, from).split('\n').length, language, words: words.join(' '), text: code};
	});
};

/** Where the links and pictures of a document lead. */
export const linksOf = ({tokens}: Document): readonly string[] =>
	tokens
		.filter((token) => token.type === 'link' || token.type === 'image')
		.map(({href}: Token & {href?: string}) => `${href}`);

/** What may stand behind the `#` of a link to a document. */
export const anchorsOf = ({tokens}: Document): ReadonlySet<string> => {
	const slugger = new GithubSlugger();
	const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading');
	return new Set(headings.map(({text}) => slugger.slug(text.replaceAll(/[`*]|\[|\]\([^)]*\)/g, ''))));
};

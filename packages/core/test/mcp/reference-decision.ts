/**
 * The decision procedure once more, written from the specification alone: it shares no import with the rule, so that the
 * two can only agree by both being right. Slow and plain on purpose.
 */
export type ReferenceConfig = {
	enabled: boolean;
	default_action: 'require' | 'allow';
	trust_level: 'strict' | 'moderate' | 'autonomous';
	rules: {pattern: string; action: 'require' | 'allow'}[];
};

export const referenceDecision = (config: ReferenceConfig, name: string): 'require' | 'allow' => {
	if (config.enabled === false) return 'allow';
	for (const rule of config.rules) {
		if (referenceMatch(rule.pattern, name)) return rule.action;
	}
	if (name.length < 1 || name.length > 128) return 'require';
	for (const character of name) {
		if (!'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-'.includes(character)) return 'require';
	}
	const begins = (...words: string[]) => words.some((word) => name.indexOf(`${word}_`) === 0);
	const kind = begins('list', 'get')
		? 'read'
		: begins('create', 'send', 'update')
			? 'write'
			: begins('delete')
				? 'destructive'
				: 'unknown';
	const table = {
		strict: {
			read: config.default_action,
			write: config.default_action,
			destructive: config.default_action,
			unknown: config.default_action,
		},
		moderate: {read: 'allow', write: 'require', destructive: 'require', unknown: 'require'},
		autonomous: {read: 'allow', write: 'allow', destructive: 'allow', unknown: 'allow'},
	} as const;
	return table[config.trust_level][kind];
};

/** Every way in which the pattern can match, tried in turn. */
export const referenceMatch = (pattern: string, name: string): boolean => {
	if (pattern === '') return name === '';
	const [first = ''] = pattern;
	const rest = pattern.slice(first.length);
	const [head = ''] = name;
	if (first === '*')
		return referenceMatch(rest, name) || (name !== '' && referenceMatch(pattern, name.slice(head.length)));
	if (first === '{') {
		const {alternatives, after} = split(rest);
		return alternatives.some((alternative) => referenceMatch(alternative + after, name));
	}
	if (name === '') return false;
	if (first === '[') {
		const close = rest.indexOf(']', 1);
		const members = rest.slice(0, close);
		return inSet(members, head) && referenceMatch(rest.slice(close + 1), name.slice(head.length));
	}
	return (first === '?' || first === head) && referenceMatch(rest, name.slice(head.length));
};

const inSet = (members: string, character: string): boolean => {
	const negated = members.startsWith('!');
	const body = negated ? members.slice(1) : members;
	let found = false;
	for (let at = 0; at < body.length; at += 1) {
		if (body[at + 1] === '-' && at + 2 < body.length) {
			found ||= character >= (body[at] ?? '') && character <= (body[at + 2] ?? '');
			at += 2;
		} else found ||= body[at] === character;
	}
	return found !== negated;
};

const split = (text: string): {alternatives: string[]; after: string} => {
	const alternatives = [''];
	let depth = 0;
	for (let at = 0; at < text.length; at += 1) {
		const character = text[at] ?? '';
		if (character === '}' && depth === 0) return {alternatives, after: text.slice(at + 1)};
		if (character === ',' && depth === 0) alternatives.push('');
		else alternatives.push((alternatives.pop() ?? '') + character);
		if (character === '{') depth += 1;
		if (character === '}') depth -= 1;
	}
	throw new Error('not closed');
};

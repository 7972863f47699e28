/** What is wrong with a key beside those that came before it in its object. */
export type KeyProblem = Readonly<{code: 'duplicate_key' | 'look_alike_key'; message: string}>;

const names = {
	message: ['jsonrpc', 'id', 'method', 'params', 'result', 'error'],
	params: ['name', 'arguments', '_meta', 'requestState', 'inputResponses'],
} as const;

/** A reader that assigns members as they come finds those of its value in the object itself. */
const heirloom = '__proto__';

/** What an object is to JSON-RPC. */
export type Role = keyof typeof names;

/** Up to here looking through a list takes less than making a set. */
const fewTexts = 8;

/** The keys of one object so far, in the list of all keys that are looked at. */
export type ObjectKeys = {
	/** Look-alikes of its keys, and of the protocol's names, are refused. */
	readonly role: Role | undefined;
	/** Where they begin in the list. */
	readonly from: number;
	/** All of them, once they are many. */
	many: Set<string> | undefined;
	/** Their forms, once one of them is not its own form. */
	forms: Set<string> | undefined;
};

/** Judges the keys of a text's objects. Those of an object that another one holds come and go while the outer one waits. */
export class KeyRules {
	/** Of the objects that the scan is in: one list for all, because a list for each costs more than looking at its keys. */
	readonly #texts: string[] = [];

	/** With a role, also look-alikes among its keys and of the protocol's names are refused. */
	enter(role: Role | undefined): ObjectKeys {
		return {role, from: this.#texts.length, many: undefined, forms: undefined};
	}

	leave({from}: ObjectKeys): void {
		this.#texts.length = from;
	}

	/** Takes the next key of the innermost object, as it is written and as it reads. */
	add(keys: ObjectKeys, raw: string, key: string): KeyProblem | undefined {
		const {role} = keys;
		const form = role === undefined ? key : fold(key);
		const likeAnother = role !== undefined && this.#isLikeAnother(keys, key, form);
		if (!this.#isNew(keys, key)) return {code: 'duplicate_key', message: 'the key stands there twice'};
		if (role === undefined) return undefined;
		const name = protocolNames[role].get(form);
		const likeTheProtocol = name !== undefined && raw !== name;
		if (!likeAnother && !likeTheProtocol && form !== heirloom) return undefined;
		return {code: 'look_alike_key', message: 'the key could be taken for another one'};
	}

	#isNew(keys: ObjectKeys, key: string): boolean {
		if (keys.many?.has(key)) return false;
		if (keys.many !== undefined) keys.many.add(key);
		else if (this.#texts.indexOf(key, keys.from) >= 0) return false;
		else if (this.#texts.push(key) > keys.from + fewTexts) keys.many = new Set(this.#texts.slice(keys.from));
		return true;
	}

	/** While each key is its own form, keys that differ are not alike. */
	#isLikeAnother(keys: ObjectKeys, key: string, form: string): boolean {
		if (keys.forms === undefined && form === key) return false;
		keys.forms ??= new Set(keys.many ?? this.#texts.slice(keys.from));
		const isKnown = keys.forms.has(form);
		keys.forms.add(form);
		return isKnown;
	}
}

/**
 * One form for all the keys that a lenient reader might take for the same: case, compatibility forms, invisible
 * characters, what is no character at all, and whatever follows a NUL, where some readers take the text to end.
 */
const fold = (key: string): string =>
	// Most keys are their own form; to find it the long way takes 0.4 us.
	/^[a-z_]*$/.test(key)
		? key
		: key
				.replace(/\0.*$/su, '')
				.normalize('NFKC')
				.toUpperCase()
				.toLowerCase()
				.normalize('NFKC')
				.replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\ufffd\s]/gu, '');

const byForm = (own: readonly string[]): ReadonlyMap<string, string> => new Map(own.map((name) => [fold(name), name]));

/** The protocol's own names, by their form. */
const protocolNames = {message: byForm(names.message), params: byForm(names.params)};

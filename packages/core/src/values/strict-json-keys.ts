/** What is wrong with a key beside those that came before it in its object. */
export type KeyProblem = Readonly<{code: 'duplicate_key' | 'look_alike_key'; message: string}>;

export type KeyRules = Readonly<{
	/** Takes the next key, as it is written and as it reads. */
	add(raw: string, key: string): KeyProblem | undefined;
}>;

const names = {
	message: ['jsonrpc', 'id', 'method', 'params', 'result', 'error'],
	params: ['name', 'arguments', '_meta', 'requestState', 'inputResponses'],
} as const;

/** A reader that assigns members as they come finds those of its value in the object itself. */
const heirloom = '__proto__';

type Role = keyof typeof names;

/** Up to here looking through a list takes less than making a set. */
const fewTexts = 8;

/** Texts that were there before. */
class SeenTexts {
	readonly #few: string[] = [];
	#many: Set<string> | undefined;

	/** @returns false for one that was there before. */
	add(text: string): boolean {
		if (this.#many === undefined) {
			if (this.#few.includes(text)) return false;
			if (this.#few.push(text) > fewTexts) this.#many = new Set(this.#few);
			return true;
		}
		if (this.#many.has(text)) return false;
		this.#many.add(text);
		return true;
	}
}

class ObjectKeyRules implements KeyRules {
	readonly #role: Role | undefined;
	/** Made for the first key: a text may hold a million empty objects. */
	#seen: SeenTexts | undefined;
	#folded: SeenTexts | undefined;

	constructor(role: Role | undefined) {
		this.#role = role;
	}

	add(raw: string, key: string): KeyProblem | undefined {
		this.#seen ??= new SeenTexts();
		if (!this.#seen.add(key)) return {code: 'duplicate_key', message: 'the key stands there twice'};
		if (this.#role === undefined) return undefined;
		const form = fold(key);
		this.#folded ??= new SeenTexts();
		const likeAnother = !this.#folded.add(form);
		const name = protocolNames[this.#role].get(form);
		const likeTheProtocol = name !== undefined && raw !== name;
		if (!likeAnother && !likeTheProtocol && form !== heirloom) return undefined;
		return {code: 'look_alike_key', message: 'the key could be taken for another one'};
	}
}

/** Judges the keys of one object. With a role, also look-alikes among them and of the protocol's names are refused. */
export const createKeyRules = (role: Role | undefined): KeyRules => new ObjectKeyRules(role);

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

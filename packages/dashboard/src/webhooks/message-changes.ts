/** A message at one point of its way. */
export type Message = Readonly<{headers: Readonly<Record<string, string>>; body: string}>;

export type Change = Readonly<{
	kind: 'added' | 'changed' | 'removed';
	/** `header x-tier`, `body.customer.tier` */
	place: string;
	/** What is there now; of what was removed, what was there. */
	value: string;
}>;

type Leaves = ReadonlyMap<string, string>;

const mostLeaves = 5000;

const compareLeaves = (before: Leaves, after: Leaves): readonly Change[] => [
	...[...after].flatMap(([place, value]): Change[] => {
		const was = before.get(place);
		if (was === value) return [];
		return [{kind: was === undefined ? 'added' : 'changed', place, value}];
	}),
	...[...before].flatMap(([place, value]): Change[] => (after.has(place) ? [] : [{kind: 'removed', place, value}])),
];

const headerLeaves = ({headers}: Message): Leaves =>
	new Map(Object.entries(headers).map(([name, value]) => [`header ${name.toLowerCase()}`, value]));

const addLeaves = (leaves: Map<string, string>, place: string, value: unknown): void => {
	if (leaves.size > mostLeaves) return;
	const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
	if (members.length === 0) leaves.set(place, JSON.stringify(value));
	for (const [name, member] of members) addLeaves(leaves, `${place}.${name}`, member);
};

const bodyLeaves = (body: string): Leaves | undefined => {
	try {
		const leaves = new Map<string, string>();
		addLeaves(leaves, 'body', JSON.parse(body));
		return leaves;
	} catch {
		return undefined;
	}
};

const bodyChanges = (before: string, after: string): readonly Change[] => {
	if (before === after) return [];
	const [was, is] = [bodyLeaves(before), bodyLeaves(after)];
	if (was === undefined || is === undefined) return [{kind: 'changed', place: 'body', value: after}];
	return compareLeaves(was, is);
};

/** What a step left of a message: what it did not change is left out. */
export type Effect = Readonly<{
	headers?: Message['headers'] | undefined;
	body?: string | undefined;
	/** The body is cut. */
	body_truncated?: true | undefined;
}>;

/** Nobody can say what changed in a body of which only the beginning is known: two of them may begin alike. */
const cutBody = (body: string): Change => ({kind: 'changed', place: 'body', value: body});

/** The message after a step, and what became of it there, field by field. */
export const messageAfter = (before: Message, {headers, body, body_truncated}: Effect) => {
	const after: Message = {headers: headers ?? before.headers, body: body ?? before.body};
	const changes: readonly Change[] = [
		...compareLeaves(headerLeaves(before), headerLeaves(after)),
		...(body_truncated ? [cutBody(after.body)] : bodyChanges(before.body, after.body)),
	];
	return {after, changes};
};

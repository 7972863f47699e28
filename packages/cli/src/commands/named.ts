import {NotFoundError} from '../command-line/command.ts';

type Named = Readonly<{id: string; name: string}>;

/** One by its id or its name. @throws NotFoundError when there is none, Error when several have the name */
export const findNamed = <Item extends Named>(items: readonly Item[], text: string, kind: string): Item => {
	const byId = items.find(({id}) => id === text);
	if (byId !== undefined) return byId;
	const [found, ...others] = items.filter(({name}) => name === text);
	if (found === undefined) throw new NotFoundError(`There is no ${kind} ${text}`);
	if (others.length > 0) throw new Error(`${others.length + 1} are named ${text}: name the ${kind} by its id`);
	return found;
};

/** Every item of a paged list. */
export const collect = async <Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> => {
	const all: Item[] = [];
	for await (const item of items) all.push(item);
	return all;
};

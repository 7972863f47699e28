type Ordered = Readonly<{sort_order: number; id: string}>;

/** The order in which steps run and rules are judged: lower first, and by id where it is the same. */
export const bySortOrder = (a: Ordered, b: Ordered): number => a.sort_order - b.sort_order || (a.id < b.id ? -1 : 1);

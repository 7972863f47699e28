let made = 0;

/** A number that no earlier call answered: for what must be unique, and come in order. */
export const nextNumber = (): number => {
	made += 1;
	return made;
};

/** A well-formed UUIDv7 that sorts after every earlier one. */
export const buildId = (): string => {
	const digits = nextNumber().toString(16).padStart(12, '0');
	return `019c0000-0000-7000-8000-${digits}`;
};

/** When built records say they were made, unless told otherwise: the time at which a manual clock starts. */
export const builtAt = '2026-01-31T09:30:00.000Z';

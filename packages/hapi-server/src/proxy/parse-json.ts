/** Undefined for what is no JSON. */
export const parseJson = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
};

/** Undefined for a value that is nested too deeply to be written, however it was read. */
export const writeJson = (value: object): string | undefined => {
	try {
		return JSON.stringify(value);
	} catch (error) {
		if (error instanceof RangeError) return undefined;
		throw error;
	}
};

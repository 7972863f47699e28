/** Parts of templates that are rendered for one webhook at most, each round of a loop anew: about 50 ms. */
const mostSteps = 50_000;
/** Characters, and elements of a list, that are compared in about the time of a step. */
const charactersOfStep = 1000;
const elementsOfStep = 4;

/** What the templates of one webhook may cost, all together. */
export type StepLimit = Readonly<{
	/** Counts a part that is rendered. @throws RangeError */
	check(): void;
	/** Counts a value that is read to its end. @throws RangeError */
	charge(value: unknown): void;
}>;

/** Counts instead of looking at the clock: a busy machine must not fail a template that a quiet one renders. */
export const createStepLimit = (): StepLimit => {
	let steps = 0;
	const add = (more: number): void => {
		steps += more;
		if (steps > mostSteps) throw new RangeError(`it renders or compares more than ${mostSteps} parts`);
	};
	const charge = (value: unknown): void => {
		if (typeof value === 'string') add(value.length / charactersOfStep);
		if (!Array.isArray(value)) return;
		add(value.length / elementsOfStep);
		for (const element of value) charge(element);
	};
	return {check: () => add(1), charge};
};

import {templateUrlProblem} from '../../values/template.ts';

/** What is wrong with a destination as it is configured, or undefined. A whole `{{env.KEY}}` is judged when it resolves. */
export const destinationUrlProblem = (destination_url: string): string | undefined => {
	const problem = templateUrlProblem(destination_url);
	if (problem !== undefined) return problem;
	const url = URL.parse(destination_url);
	// Answers and traces show it.
	return url !== null && (url.username !== '' || url.password !== '')
		? 'must hold no user name or password'
		: undefined;
};

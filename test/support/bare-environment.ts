/** What a program needs of this process's environment, and nothing that would configure it. */
export const bareEnvironment = (): NodeJS.ProcessEnv => {
	const {PATH, NODE_COMPILE_CACHE} = process.env;
	return {PATH, ...(NODE_COMPILE_CACHE !== undefined && {NODE_COMPILE_CACHE})};
};

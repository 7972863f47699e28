/**
 * Where a thread's file is: beside the module that starts it in the sources, beside the bundle when it is built.
 * @param from The `import.meta.url` of that module.
 */
export const workerFile = (from: string, source: string, built: string): URL =>
	new URL(from.endsWith('.ts') ? source : built, from);

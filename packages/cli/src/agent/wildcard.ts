/** What makes a shell do more than hand words to the command, and what ends a command. */
const meansSomethingToShell = /[;&|<>()$`\\"'*?[\]{}~#!\r\n]/;

/**
 * Whether a pattern covers a whole text. `*` stands for any run of characters, none included, that mean nothing to a shell: so
 * `backup.sh *` does not cover `backup.sh; reboot`. All else stands for itself, case-sensitively. Takes time proportional to
 * the product of the lengths at most.
 */
export const matchesPattern = (pattern: string, text: string): boolean => {
	const [first = '', ...others] = pattern.split('*');
	const last = others.pop();
	if (last === undefined) return text === pattern;
	if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
	const runs: string[] = [];
	let from = first.length;
	const until = text.length - last.length;
	for (const part of others) {
		const at = text.indexOf(part, from);
		if (at < 0 || at + part.length > until) return false;
		runs.push(text.slice(from, at));
		from = at + part.length;
	}
	runs.push(text.slice(from, until));
	return !runs.some((run) => meansSomethingToShell.test(run));
};

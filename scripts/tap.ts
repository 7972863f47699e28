/** `skipped` and `todo` are tests that prove nothing: whoever counts must not take them for passed. */
export type Outcome = 'passed' | 'failed' | 'skipped' | 'todo';

/** One test as TAP reports it. `detail` holds the lines that follow it: logs and the error. */
export type TapTest = Readonly<{title: string; outcome: Outcome; detail: readonly string[]}>;

const testLine = /^(ok|not ok)(?: \d+)?(?: - (.*?))?(?: # (SKIP|TODO).*)?$/;

const outcomeOf = (status: string | undefined, directive: string | undefined): Outcome => {
	if (directive === 'SKIP') return 'skipped';
	if (directive === 'TODO') return 'todo';
	return status === 'ok' ? 'passed' : 'failed';
};

type Current = {title: string; outcome: Outcome; detail: string[]};

const isInBlock = ({detail}: Current): boolean => detail.lastIndexOf('  ---') > detail.lastIndexOf('  ...');

/** Logs are comments; the error is a YAML block, which may hold blank lines. */
const isDetail = (current: Current, line: string): boolean => /^(?: {2}|# {3})/.test(line) || isInBlock(current);

/**
 * Reads TAP as AVA writes it, line by line. A test is announced by its line and its detail follows, so each one is
 * handed on when the next line that is not its detail arrives; call `end` after the last line.
 */
export const createTapReader = (onTest: (test: TapTest) => void): Readonly<{line(text: string): void; end(): void}> => {
	let current: Current | undefined;
	const flush = (): void => {
		if (current) onTest(current);
		current = undefined;
	};
	return {
		line(text) {
			if (current && isDetail(current, text)) {
				current.detail.push(text);
				return;
			}
			flush();
			const match = testLine.exec(text);
			if (match) current = {title: match[2] ?? '', outcome: outcomeOf(match[1], match[3]), detail: []};
		},
		end: flush,
	};
};

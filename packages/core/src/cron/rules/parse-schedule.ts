import {longestSchedule} from '../model/job.ts';
import {readCron, writeCron} from './cron-expression.ts';
import {readScheduleWords} from './schedule-words.ts';

export type ParsedSchedule =
	/** Canonical: five fields of numbers, `*`, ranges, steps, `L` and `#`. Equal schedules have equal text. */
	Readonly<{ok: true; schedule_cron: string}> | Readonly<{ok: false; message: string}>;

const macros: Readonly<Record<string, string>> = {
	'@yearly': '0 0 1 1 *',
	'@annually': '0 0 1 1 *',
	'@monthly': '0 0 1 * *',
	'@weekly': '0 0 * * 0',
	'@daily': '0 0 * * *',
	'@midnight': '0 0 * * *',
	'@hourly': '0 * * * *',
};

const expressionOf = (text: string): string => {
	if (text === '') throw new SyntaxError('A schedule must not be empty.');
	if (/^[a-z]/.test(text)) return readScheduleWords(text);
	if (!text.startsWith('@')) return text;
	if (Object.hasOwn(macros, text)) return macros[text] ?? text;
	throw new SyntaxError(`There is no macro ${text}: the macros are ${Object.keys(macros).join(', ')}.`);
};

const canonicalOf = (schedule: string): string => {
	if (schedule.length > longestSchedule)
		throw new SyntaxError(`A schedule has at most ${longestSchedule} characters, this has ${schedule.length}.`);
	// Checked before the case is lowered: some letters of other alphabets become Latin ones.
	if (/[^\t\x20-\x7e]/.test(schedule)) throw new SyntaxError('A schedule is one line of plain English characters.');
	const text = schedule
		.trim()
		.toLowerCase()
		.replace(/[\t ]+/g, ' ');
	return writeCron(readCron(expressionOf(text)));
};

/**
 * Reads a schedule: a cron expression of five fields, a macro, or words of a closed grammar (decisions, "Schedules"), in
 * any case. Everything else is refused, and so is what would never run.
 *
 * @returns `message`: the reason for people.
 */
export const parseSchedule = (schedule: string): ParsedSchedule => {
	try {
		return {ok: true, schedule_cron: canonicalOf(schedule)};
	} catch (error) {
		if (error instanceof SyntaxError) return {ok: false, message: error.message};
		throw error;
	}
};

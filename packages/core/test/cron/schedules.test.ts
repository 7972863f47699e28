import test from 'ava';
import {parseSchedule} from '../../src/cron/rules/parse-schedule.ts';

const cronOf = (schedule: string): string => {
	const parsed = parseSchedule(schedule);
	return parsed.ok ? parsed.schedule_cron : `refused: ${parsed.message}`;
};

const table = (title: string, rows: Readonly<Record<string, string>>): void =>
	test(title, (t) => {
		for (const [schedule, expected] of Object.entries(rows)) t.is(cronOf(schedule), expected, schedule);
	});

table('[JOB-042] expressions take names of months and weekdays, in any case', {
	'0 0 * JAN *': '0 0 * 1 *',
	'0 0 * feb,Dec *': '0 0 * 2,12 *',
	'0 0 * * MON': '0 0 * * 1',
	'0 0 * * sun': '0 0 * * 0',
	'0 0 * * Mon-FRI': '0 0 * * 1-5',
	'0 0 * * FRI-SUN': '0 0 * * 0,5,6',
	'0 0 * MAR-MAY,nov *': '0 0 * 3-5,11 *',
});

table('[JOB-043] expressions take lists', {
	'0,30 8,12 1,15 1,7 1,3': '0,30 8,12 1,15 1,7 1,3',
	'30,0 12,8 * * *': '0,30 8,12 * * *',
	'5,5,5 1 * * *': '5 1 * * *',
});

table('[JOB-044] expressions take ranges', {
	'0-10 9-17 1-7 6-8 1-5': '0-10 9-17 1-7 6-8 1-5',
	'0-0 9 * * *': '0 9 * * *',
	'1-2 9 * * *': '1,2 9 * * *',
	'1-5,3-9 9 * * *': '1-9 9 * * *',
});

table('[JOB-045] expressions take steps, of everything and of ranges', {
	'*/15 * * * *': '*/15 * * * *',
	'0-59/15 * * * *': '*/15 * * * *',
	'5-35/10 * * * *': '5-35/10 * * * *',
	'0 9-17/2 * * *': '0 9-17/2 * * *',
	'0 0 */2 */3 *': '0 0 */2 */3 *',
	'0 0 * * */2': '0 0 * * 0,2,4,6',
	'0 0 * * mon-fri/2': '0 0 * * 1,3,5',
	'*/1 */1 */1 */1 */1': '* * * * *',
	'*/7 * * * *': '*/7 * * * *',
	'*/60 * * * *': '0 * * * *',
});

table('[JOB-046] expressions take L for the last day of the month, and after a weekday for its last one', {
	'0 0 L * *': '0 0 L * *',
	'0 0 15,l * *': '0 0 15,L * *',
	'0 0 * * 5L': '0 0 * * 5L',
	'0 0 * * friL': '0 0 * * 5L',
});

table('[JOB-047] expressions take # for the nth weekday of the month', {
	'0 0 * * 1#1': '0 0 * * 1#1',
	'0 0 * * MON#2': '0 0 * * 1#2',
	'0 0 * * 5#5,1#3': '0 0 * * 1#3,5#5',
	'0 0 * * 2,5#2': '0 0 * * 2,5#2',
});

table('[JOB-048] weekday 7 is Sunday', {
	'0 0 * * 7': '0 0 * * 0',
	'0 0 * * 0,7': '0 0 * * 0',
	'0 0 * * 5-7': '0 0 * * 0,5,6',
	'0 0 * * 7#2': '0 0 * * 0#2',
	'0 0 * * 0-7': '0 0 * * *',
});

table('[JOB-049 JOB-050 JOB-051] @yearly, which is @annually, @monthly and @weekly', {
	'@yearly': '0 0 1 1 *',
	'@annually': '0 0 1 1 *',
	'@monthly': '0 0 1 * *',
	'@weekly': '0 0 * * 0',
});

table('[JOB-052 JOB-053] @daily, which is @midnight, and @hourly', {
	'@daily': '0 0 * * *',
	'@Midnight': '0 0 * * *',
	'@hourly': '0 * * * *',
});

table('[JOB-056 JOB-057] every minute, and every so many minutes', {
	'every minute': '* * * * *',
	'every 1 minute': '* * * * *',
	'every 1 minutes': '* * * * *',
	'every 5 minutes': '*/5 * * * *',
	'every 30 minutes': '*/30 * * * *',
	'every 60 minutes': '0 * * * *',
});

table('[JOB-058 JOB-059 JOB-060] every hour, at a minute, and every so many hours', {
	'every hour': '0 * * * *',
	'every hour at minute 5': '5 * * * *',
	'every hour at minute 05': '5 * * * *',
	'every hour at minute 59': '59 * * * *',
	'every 2 hours': '0 */2 * * *',
	'every 12 hours': '0 */12 * * *',
	'every 24 hours': '0 0 * * *',
});

test('[JOB-057] minutes are refused, with the reason, exactly where they do not divide the hour', (t) => {
	for (let count = 1; count <= 90; count += 1) {
		const cron = cronOf(`every ${count} minutes`);
		if (60 % count === 0) t.notRegex(cron, /refused/);
		else t.regex(cron, /refused: .* does not divide 60: choose 1, 2, 3/, String(count));
	}
});

test('[JOB-060] hours are refused, with the reason, exactly where they do not divide the day', (t) => {
	for (let count = 1; count <= 48; count += 1) {
		const cron = cronOf(`every ${count} hours`);
		if (24 % count === 0) t.notRegex(cron, /refused/);
		else t.regex(cron, /refused: .* does not divide 24: choose 1, 2, 3/, String(count));
	}
});

table('[JOB-061 JOB-062 JOB-063] every day, weekday and weekend', {
	'every day': '0 0 * * *',
	'every day at 9am': '0 9 * * *',
	'every weekday': '0 0 * * 1-5',
	'every weekday at 9:30am': '30 9 * * 1-5',
	'every weekend': '0 0 * * 0,6',
	'every weekend at noon': '0 12 * * 0,6',
});

table('[JOB-064] every one of some days', {
	'every monday': '0 0 * * 1',
	'every tue at 9am': '0 9 * * 2',
	'every monday, wednesday and friday at 17:30': '30 17 * * 1,3,5',
	'every saturday and sunday': '0 0 * * 0,6',
	'every friday,monday': '0 0 * * 1,5',
	'every mon, tue, and thu at noon': '0 12 * * 1,2,4',
});

table('[JOB-065] every week', {
	'every week on friday': '0 0 * * 5',
	'every week on monday and thursday at 8pm': '0 20 * * 1,4',
	'every week at 6am': '0 6 * * 1',
});

table('[JOB-066 JOB-067] every month, on days of it', {
	'every month on 1st': '0 0 1 * *',
	'every month on the 1st, 15th and 22nd at 6am': '0 6 1,15,22 * *',
	'every month on the 31st': '0 0 31 * *',
	'every month at noon': '0 12 1 * *',
	'every month on the last day': '0 0 L * *',
	'every month on the 15th and last day at 23:59': '59 23 15,L * *',
});

table('[JOB-068] every year, on a day of it', {
	'every year on march 5th': '0 0 5 3 *',
	'every year on feb 29th at 9am': '0 9 29 2 *',
	'every year on december 31st at 11:59pm': '59 23 31 12 *',
	'every year at noon': '0 12 1 1 *',
});

table('[JOB-069] daily, hourly, weekly, monthly and yearly, with times or without', {
	daily: '0 0 * * *',
	'daily at 9am': '0 9 * * *',
	hourly: '0 * * * *',
	'hourly at 00:15': '15 * * * *',
	weekly: '0 0 * * 1',
	'weekly at 17:00': '0 17 * * 1',
	monthly: '0 0 1 * *',
	'monthly at noon': '0 12 1 * *',
	yearly: '0 0 1 1 *',
	'yearly at 6:30am': '30 6 1 1 *',
});

table('[JOB-145] without a day, a week means Monday, a month its 1st and a year 1 January, at midnight', {
	'every week': '0 0 * * 1',
	'every month': '0 0 1 * *',
	'every year': '0 0 1 1 *',
});

table('[JOB-070 JOB-071 JOB-072] a time is h or h:mm with am or pm, HH:MM, noon or midnight', {
	'every day at 12am': '0 0 * * *',
	'every day at 1am': '0 1 * * *',
	'every day at 12pm': '0 12 * * *',
	'every day at 11pm': '0 23 * * *',
	'every day at 12:30am': '30 0 * * *',
	'every day at 9:05 PM': '5 21 * * *',
	'every day at 00:00': '0 0 * * *',
	'every day at 09:30': '30 9 * * *',
	'every day at 23:59': '59 23 * * *',
	'every day at noon': '0 12 * * *',
	'every day at midnight': '0 0 * * *',
});

table('[JOB-073] at takes several times', {
	'every day at 9am and 5pm': '0 9,17 * * *',
	'every day at 9:15am, 12:15 and 17:15': '15 9,12,17 * * *',
	'every monday at noon,midnight': '0 0,12 * * 1',
	'daily at 5pm, 9am': '0 9,17 * * *',
});

table('[JOB-075] words come in any case, with any spaces', {
	'EVERY Weekday AT 9AM': '0 9 * * 1-5',
	'  every \t 5   minutes ': '*/5 * * * *',
	'Every MONTH on The Last Day At NOON': '0 12 L * *',
});

test('[JOB-076] a schedule has at most 128 characters', (t) => {
	t.is(cronOf(`${'0,'.repeat(59)}10 * * * *`), '0,10 * * * *');
	t.regex(cronOf(`${'0,'.repeat(60)}0 * * * *`), /at most 128 characters, this has 129/);
	t.is(cronOf(`every${' '.repeat(117)}minute`), '* * * * *');
	t.regex(cronOf(`every${' '.repeat(118)}minute`), /at most 128 characters, this has 129/);
});

const wrongs = (title: string, rows: Readonly<Record<string, RegExp>>): void =>
	test(title, (t) => {
		for (const [schedule, reason] of Object.entries(rows)) {
			const parsed = parseSchedule(schedule);
			if (parsed.ok) t.fail(`${JSON.stringify(schedule)} became ${parsed.schedule_cron}`);
			else t.regex(parsed.message, reason, schedule);
		}
	});

wrongs('[JOB-054 JOB-055] other than 5 fields is refused, and so is a date', {
	'* * * *': /has 5 fields: .* This has 4/,
	'0 * * * * *': /This has 6/,
	'0 * * * * * 2026': /This has 7/,
	'5': /This has 1/,
	'2026-11-21T10:00:00Z': /5 fields/,
	'2026-11-21': /5 fields/,
	'2026-11-21 10:00:00 * * *': /'2026-11-21' is no minute/,
});

wrongs('[JOB-074] a bare hour is refused', {
	'every day at 9': /'9' stands where a time like 9am/,
	'every day at 17': /'17' stands where a time/,
	'every day at 9am and 5': /'5' stands where a time/,
	'every day at 9:30': /'9:30' stands where a time/,
});

wrongs('[JOB-146] times that do not share their minute are refused', {
	'every day at 9am and 5:30pm': /must share their minute/,
	'every weekday at 09:00, 09:15': /must share their minute/,
});

wrongs('[JOB-078] what never fires is refused', {
	'0 0 31 2 *': /would never run/,
	'0 0 30 FEB *': /would never run/,
	'0 0 31 2,4,6,9,11 *': /would never run/,
	'every year on february 30th': /would never run/,
	'every year on june 31st': /would never run/,
});

wrongs('[JOB-077] expressions outside the grammar are refused with the reason', {
	'60 * * * *': /'60' is no minute: it goes from 0 to 59/,
	'* 24 * * *': /'24' is no hour/,
	'* * 0 * *': /'0' is no day of the month/,
	'* * 32 * *': /'32' is no day of the month/,
	'* * * 13 *': /'13' is no month/,
	'* * * * 8': /'8' is no weekday/,
	'* * * * mun': /'mun' is no weekday/,
	'* * * monday *': /'monday' is no month/,
	'*/0 * * * *': /step of 0/,
	'*/61 * * * *': /step of 61/,
	'5/15 * * * *': /write 5-59\/15/,
	'22-2 * * * *': /backwards: write 22-59,0-2/,
	'* * * * fri-mon': /backwards/,
	'1,,2 * * * *': /'' is no minute/,
	'1- * * * *': /'1-' is no minute/,
	'-5 * * * *': /'-5' is no minute/,
	'1.5 * * * *': /'1.5' is no minute/,
	'? * * * *': /'\?' is no minute/,
	'* * LW * *': /'lw' is no day/,
	'* * 15W * *': /'15w' is no day/,
	'* * L-3 * *': /'l-3' is no day/,
	'* * * * L': /'l' is no weekday/,
	'* * * * 1#6': /after # goes 1 to 5/,
	'* * * * 1#0': /after # goes 1 to 5/,
	'* * * * 1-5#2': /'1-5#2' is no weekday/,
	'* * * * +MON': /'\+mon' is no weekday/,
	'H * * * *': /'h' stands where/,
	'@reboot': /no macro @reboot: the macros are @yearly/,
	'@every 5m': /no macro/,
});

wrongs('[JOB-077] words outside the grammar are refused with the reason, and never guessed', {
	'': /empty/,
	' ': /empty/,
	every: /the end stands where a weekday/,
	often: /'often' stands where 'every' or 'daily'/,
	'every minutee': /'minutee' stands where/,
	'every minute or so': /'or' stands where the end/,
	'every 5 minute': /'minute' stands where 'minutes' or 'hours'/,
	'every five minutes': /'five' stands where/,
	'every 0 minutes': /'0' stands where/,
	'every -5 minutes': /'-5' stands where/,
	'every 1.5 hours': /'1.5' stands where/,
	'every 2 days': /'days' stands where 'minutes' or 'hours'/,
	'every 90 seconds': /'seconds' stands where/,
	'every 5 minutes at 9am': /'at' stands where the end/,
	'every hour at minute 60': /'60' stands where a minute from 0 to 59/,
	'every hour at 9am': /'9am' stands where 'minute'/,
	'everyday at 9am': /'everyday' stands where/,
	'every day at 13pm': /'13pm' stands where a time/,
	'every day at 0am': /'0am' stands where a time/,
	'every day at 24:00': /'24:00' stands where a time/,
	'every day at 9:60am': /'9:60am' stands where a time/,
	'every day at': /the end stands where a time/,
	'every day at 9am and': /the end stands where a time/,
	'every mondays': /'mondays' stands where a weekday/,
	'every monday tuesday': /'tuesday' stands where the end/,
	'every month on the 32nd': /'32nd' stands where a day/,
	'every month on the 2st': /'2st' stands where a day/,
	'every month on the 5': /'5' stands where a day/,
	'every year on 5th march': /'5th' stands where a month/,
	'every day; rm -rf /': /stands where/,
	'every constructor': /'constructor' stands where/,
	constructor: /'constructor' stands where/,
	'@constructor': /no macro/,
	'every wee\u212a': /plain English characters/,
	'every\u00a0minute': /plain English characters/,
	'every\nminute': /plain English characters/,
	'* * * * *\0': /plain English characters/,
});

import {useState} from 'preact/hooks';
import {useTrial} from '../live/use-trial.ts';
import {wordsOf} from '../parts/error-notice.tsx';
import {SelectField, TextField} from '../parts/form.tsx';
import {client} from '../session/client.ts';
import {ownTimeZone, timeZones, zonedTime} from './zoned-time.ts';

/** What a schedule means, while it is written. */
const Preview = ({schedule, timezone}: {schedule: string; timezone: string}) => {
	const {result, error} = useTrial(
		async () => (schedule.trim() === '' ? undefined : client.cron.jobs.check({body: {schedule, timezone}})),
		JSON.stringify([schedule, timezone]),
	);
	const problem = error === undefined ? result?.problem : wordsOf(error);
	return (
		<div class="preview" role="status" aria-label="What the schedule means">
			{problem && <p class="problem-words">{problem}</p>}
			{error === undefined && result === undefined && (
				<p class="small soft">
					Write when it runs, as you would say it: every 15 minutes, every weekday at 9am, every month on the 1st at
					noon. A cron expression will do, too.
				</p>
			)}
			{error === undefined && result?.meaning && (
				<>
					<p>
						<span class="strong">{result.meaning.description}</span>{' '}
						<code class="soft">{result.meaning.schedule_cron}</code>
					</p>
					<ol class="next-runs" aria-label="The next runs">
						{result.meaning.next_runs.map((run) => (
							<li key={run}>{zonedTime(run, timezone)}</li>
						))}
					</ol>
				</>
			)}
		</div>
	);
};

type Props = Readonly<{name: 'schedule' | 'trigger_schedule'; schedule?: string; timezone?: string}>;

/** When something runs, in words or as a cron expression, with what that means. */
export const ScheduleFields = ({name, schedule: stored = '', timezone: storedZone = ownTimeZone()}: Props) => {
	const [schedule, setSchedule] = useState(stored);
	const [timezone, setTimezone] = useState(storedZone);
	const zones = timeZones();
	return (
		<>
			<TextField
				name={name}
				label="Schedule"
				value={stored}
				placeholder="every weekday at 9am"
				maxLength={128}
				autocomplete="off"
				required
				onInput={setSchedule}
			/>
			<Preview schedule={schedule} timezone={timezone} />
			<SelectField
				name="timezone"
				label="Time zone"
				value={timezone}
				options={(zones.includes(timezone) ? zones : [timezone, ...zones]).map((zone) => ({value: zone, label: zone}))}
				onInput={setTimezone}
			/>
		</>
	);
};

import {randomUUID} from 'node:crypto';
import {openDatabase} from '@signalbox/adapters-sql';
import {type DueJob, type Firing, plusSeconds} from '@signalbox/core';
import {buildAgent} from '@signalbox/core/testing';

/**
 * Fires hourly jobs until none is due, and prints how many of each group it fired. Its own clock is a day ahead. It begins
 * when so many of its kind, each of which registers an agent of the user, have come.
 */
const [file, user_id = '', together] = process.argv.slice(2);
const ownNow = Date.now;
Date.now = () => ownNow() + 24 * 3_600_000;
const database = await openDatabase({url: `sqlite:${file}`});
const mostAgents = 10;
const {cronTicks, agents} = database.stores;
const {due, fire} = cronTicks;

const firingOf = ({id, next_run_at, concurrency}: DueJob): Firing => ({
	job_id: id,
	from: next_run_at,
	next_run_at: plusSeconds(next_run_at, 3600),
	concurrency,
	scheduled_for: next_run_at,
	execution: {id: randomUUID(), missed_count: 0, start_deadline_at: '2099-01-01T00:00:00.000Z'},
});

await agents.register(buildAgent({id: randomUUID(), user_id}), mostAgents);
while ((await agents.list(user_id)).length < Number(together));

for (;;) {
	const {jobs} = await due(40);
	if (jobs.length === 0) break;
	const fired = await fire(jobs.map(firingOf));
	process.stdout.write(`${fired.filter(({outcome}) => outcome === 'fired').length}\n`);
}
await database.close();

/** A croner object for each job, all due at one instant; each writes a row of its own with Sequelize. */
import {Cron} from 'croner';
import {DataTypes, Sequelize} from 'sequelize';
import {chooseInstant, count, directory, tell} from './due.js';

const sequelize = new Sequelize({dialect: 'sqlite', storage: `${directory}/croner.db`, logging: false});
await sequelize.query('PRAGMA journal_mode = WAL');
await sequelize.query('PRAGMA synchronous = FULL');
const Execution = sequelize.define('execution', {
	id: {type: DataTypes.UUID, primaryKey: true, defaultValue: DataTypes.UUIDV4},
	job_id: DataTypes.INTEGER,
	status: DataTypes.STRING,
	scheduled_for: DataTypes.DATE,
});
await sequelize.sync();

const instant = chooseInstant(20_000);
const at = new Date(instant);
const pattern = `${at.getUTCSeconds()} ${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;

let written = 0;
const done = new Promise((resolve, reject) => {
	const run = (job_id) => async () => {
		await Execution.create({job_id, status: 'pending', scheduled_for: at}).catch(reject);
		written += 1;
		if (written === count) resolve();
	};
	for (let job = 0; job < count; job += 1) new Cron(pattern, {timezone: 'UTC'}, run(job));
});
await tell(instant, done);
process.exit(0);

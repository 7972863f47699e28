import type {CronJobRecord} from '../../cron/model/job.ts';
import {plusSeconds} from '../../values/instant.ts';
import {buildCronJob} from '../builders/cron.ts';
import {buildId} from '../builders/identity.ts';
import {
	addAgent,
	addJob,
	addOwner,
	addRun,
	type CronContract,
	fireOne,
	leaseRuns,
	listRuns,
	readRun,
	startRun,
} from './cron-world.ts';
import {awkwardTexts, idsOf, parallel, reasonOf, tally} from './world.ts';

const page = {limit: 10, offset: 0};

/** With every field set to something that is not its default. */
const fullJob = ({user_id, team_id}: Readonly<{user_id: string; team_id: string}>, agent_id: string): CronJobRecord =>
	buildCronJob({
		user_id,
		team_id,
		agent_id,
		schedule: 'Every Day at Noon',
		schedule_cron: '0 12 * * *',
		timezone: 'Europe/Berlin',
		concurrency: 'replace',
		command: 'echo "{{env.GREETING}}"\nexit 3',
		working_dir: '/srv/{{env.PLACE}}',
		timeout_seconds: 3600,
		retry_config: {max_retries: 10, intervals: [1, 86_400]},
		notification_config: {
			on_failure: {enabled: true, webhook_url: 'https://a.example/hook'},
			on_success: {enabled: false},
		},
		environment: {TOKEN: '{{env.TOKEN}}', EMPTY: ''},
		tags: ['nightly', 'Ünïcode'],
		last_run_at: '2026-01-01T00:00:00.000Z',
	});

export const cronJobs: CronContract = {
	subject: 'cron jobs',
	cases: {
		'a job is read as it was created, by its user alone': async (t, {stores, ...world}) => {
			const owner = await world.addTenant();
			const other = await world.addTenant();
			const {id} = await addAgent({stores, ...world}, owner);
			const job = fullJob(owner, id);
			await stores.cronJobs.create(job, null);
			t.deepEqual(await stores.cronJobs.get(owner.user_id, job.id), job);
			t.is(await stores.cronJobs.get(other.user_id, job.id), undefined);
			t.is(await stores.cronJobs.get(owner.user_id, buildId()), undefined);
		},
		'lists hold the jobs of the user, newest first, by pages, and by flag and tag': async (t, world) => {
			const {list} = world.stores.cronJobs;
			const owner = await world.addTenant();
			await addJob(world, await world.addTenant());
			const add = (day: number, fields: Partial<CronJobRecord>) =>
				addJob(world, owner, {created_at: `2026-01-0${day}T00:00:00.000Z`, ...fields});
			const first = await add(1, {tags: ['a', 'b']});
			const third = await add(3, {tags: ['b'], is_enabled: false, next_run_at: null});
			const second = await add(2, {tags: ['A']});
			const idsWith = async (filter: Parameters<typeof list>[1]) =>
				idsOf((await list(owner.user_id, filter, page)).data);
			t.deepEqual(await idsWith({}), [third.id, second.id, first.id]);
			t.deepEqual(await idsWith({tag: 'b'}), [third.id, first.id]);
			t.deepEqual(await idsWith({tag: 'a'}), [first.id]);
			t.deepEqual(await idsWith({enabled: true}), [second.id, first.id]);
			t.deepEqual(await idsWith({enabled: false, tag: 'b'}), [third.id]);
			const {data, total} = await list(owner.user_id, {}, {limit: 1, offset: 1});
			t.deepEqual([idsOf(data), total], [[second.id], 3]);
		},
		'a change is written once, on the version that it was made from': async (t, {stores, ...world}) => {
			const owner = await addOwner({stores, ...world});
			const {update} = stores.cronJobs;
			const next = {...fullJob(owner, owner.agent.id), id: owner.job.id, last_run_at: null};
			const changed = await update(owner.user_id, next, 1);
			t.deepEqual(changed, {...next, version: 2});
			t.deepEqual(await stores.cronJobs.get(owner.user_id, owner.job.id), changed);
			t.is(await update(owner.user_id, next, 1), undefined);
			const other = await world.addTenant();
			t.is(await update(other.user_id, {...next, user_id: other.user_id, agent_id: null}, 2), undefined);
			const answers = await parallel(20, (index) => update(owner.user_id, {...next, name: `n${index}`}, 2));
			t.is(answers.filter((answer) => answer !== undefined).length, 1);
		},
		'a change leaves when it last ran, and its pending runs go on with it': async (t, world) => {
			const {job, agent, user_id} = await addOwner(world);
			await addRun(world, job);
			await startRun(world, agent);
			const ran = await world.stores.cronJobs.get(user_id, job.id);
			const pending = await addRun(world, job);
			const other = await addAgent(world, {user_id});
			await world.stores.cronJobs.update(user_id, {...job, name: 'New', command: 'new', agent_id: other.id}, 1);
			t.is((await world.stores.cronJobs.get(user_id, job.id))?.last_run_at, ran?.last_run_at);
			t.is((await readRun(world, {user_id}, pending.id)).job_name, 'New');
			t.deepEqual(await leaseRuns(world, agent, 5), []);
			const leased = await leaseRuns(world, other, 5);
			t.deepEqual(
				leased.map(({job: leasedJob}) => leasedJob.command),
				['new'],
			);
		},
		'a job moves to another team, and its runs that wait with it': async (t, world) => {
			const owner = await addOwner(world);
			const {user_id, job, agent} = owner;
			const running = await addRun(world, job);
			await startRun(world, agent);
			await addRun(world, job);
			const {id: team_id} = await world.addTeam(owner);
			t.is((await world.stores.cronJobs.update(user_id, {...job, team_id}, 1))?.team_id, team_id);
			t.is((await world.stores.cronJobs.get(user_id, job.id))?.team_id, team_id);
			const runs = await listRuns(world, owner);
			t.deepEqual(tally(runs.map((run) => (run.team_id === team_id ? 'moved' : 'stayed'))), {moved: 1, stayed: 1});
			t.is(runs.find(({id}) => id === running.id)?.team_id, job.team_id);
		},
		'a job whose agent is gone is refused': async (t, {stores, ...world}) => {
			const {user_id, team_id, job} = await addOwner({stores, ...world});
			const agent_id = buildId();
			t.is(
				await reasonOf(stores.cronJobs.create(buildCronJob({user_id, team_id, agent_id}), null)),
				'resource_not_found',
			);
			t.is(await reasonOf(stores.cronJobs.update(user_id, {...job, agent_id}, 1)), 'resource_not_found');
		},
		'a deleted job takes its runs along, and what is held of them': async (t, world) => {
			const {job, agent, ...owner} = await addOwner(world);
			const kept = await addJob(world, owner);
			for (const each of [job, kept]) await addRun(world, each);
			const [running] = await parallel(1, () => startRun(world, agent));
			const other = await world.addTenant();
			t.is(await world.stores.cronJobs.delete(other.user_id, job.id), false);
			t.is(await world.stores.cronJobs.delete(owner.user_id, job.id), true);
			t.is(await world.stores.cronJobs.delete(owner.user_id, job.id), false);
			t.is(await world.stores.cronJobs.get(owner.user_id, job.id), undefined);
			t.deepEqual(
				(await listRuns(world, owner)).map(({job_id}) => job_id),
				[kept.id],
			);
			t.is(running !== undefined && (await world.stores.executionLeases.start(owner.user_id, running)), false);
		},
		'a deleted job is due no longer, and fires no more': async (t, world) => {
			const {job, user_id} = await addOwner(world);
			await world.stores.cronJobs.delete(user_id, job.id);
			t.deepEqual((await world.stores.cronTicks.due(5)).jobs, []);
			t.is((await fireOne(world, job)).outcome, 'lost');
		},
		'a job outlives its team': async (t, world) => {
			const owner = await addOwner(world);
			const team = await world.addTeam(owner);
			const job = await addJob(world, {user_id: owner.user_id, team_id: team.id});
			await addRun(world, job);
			t.is(await world.stores.teams.delete(team.id), true);
			t.deepEqual(await world.stores.cronJobs.get(owner.user_id, job.id), job);
			t.is((await leaseRuns(world, owner.agent, 5)).length, 1);
		},
	},
};

export const limitsOfJobs: CronContract = {
	subject: 'cron jobs',
	cases: {
		'the limit counts the jobs of the user, also under parallel calls': async (t, {stores, ...world}) => {
			const owner = await world.addTenant();
			const {user_id, team_id} = owner;
			await addJob({stores, ...world}, await world.addTenant());
			const reasons = await parallel(20, () => reasonOf(stores.cronJobs.create(buildCronJob({user_id, team_id}), 5)));
			t.deepEqual(tally(reasons), {resolved: 5, plan_limit_reached: 15});
			const [any] = (await stores.cronJobs.list(user_id, {}, page)).data;
			await stores.cronJobs.delete(user_id, any?.id ?? '');
			t.is(await reasonOf(stores.cronJobs.create(buildCronJob({user_id, team_id}), 5)), 'resolved');
		},
	},
};

export const upcomingRuns: CronContract = {
	subject: 'upcoming runs',
	cases: {
		'those of enabled jobs come by time, then id, by pages': async (t, world) => {
			const owner = await world.addTenant();
			await addJob(world, await world.addTenant());
			const at = (seconds: number) => plusSeconds(world.now(), seconds);
			const later = await addJob(world, owner, {next_run_at: at(7200), name: 'later'});
			const [a, b] = [
				await addJob(world, owner, {next_run_at: at(60)}),
				await addJob(world, owner, {next_run_at: at(60)}),
			];
			await addJob(world, owner, {is_enabled: false, next_run_at: at(60)});
			await addJob(world, owner, {next_run_at: null});
			const {data, total} = await world.stores.cronJobs.upcoming(owner.user_id, page);
			t.deepEqual(
				data.map(({job_id}) => job_id),
				[a.id, b.id, later.id],
			);
			t.deepEqual(data.at(2), {job_id: later.id, name: 'later', next_run_at: later.next_run_at});
			t.is(total, 3);
			const second = await world.stores.cronJobs.upcoming(owner.user_id, {limit: 1, offset: 1});
			t.deepEqual([second.data.map(({job_id}) => job_id), second.total], [[b.id], 3]);
		},
	},
};

export const textOfJobs: CronContract = {
	subject: 'text of cron jobs',
	needs: 'exact_text',
	cases: {
		'names, commands, variables and tags are kept to the last character': async (t, world) => {
			const owner = await world.addTenant();
			for (const text of awkwardTexts) {
				const job = await addJob(world, owner, {
					...{name: text, command: text, working_dir: text, schedule: text},
					...{environment: {A: text}, tags: [text]},
				});
				t.deepEqual(await world.stores.cronJobs.get(owner.user_id, job.id), job);
				const tagged = await world.stores.cronJobs.list(owner.user_id, {tag: text}, page);
				t.deepEqual(idsOf(tagged.data), [job.id], text);
			}
		},
		'tags that only look alike are different': async (t, world) => {
			const owner = await world.addTenant();
			await addJob(world, owner, {tags: ['Nightly', 'a%', 'b"']});
			for (const tag of ['nightly', 'a', 'ab', 'b', 'Night', '%'])
				t.is((await world.stores.cronJobs.list(owner.user_id, {tag}, page)).total, 0, tag);
		},
	},
};

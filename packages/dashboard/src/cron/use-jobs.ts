import type {CronJob} from '@signalbox/client-sdk';
import {useResource} from '../live/use-resource.ts';
import {client} from '../session/client.ts';

export const readAllJobs = async (): Promise<readonly CronJob[]> => {
	const jobs: CronJob[] = [];
	for await (const job of client.cron.jobs.iterate()) jobs.push(job);
	return jobs;
};

/** All jobs, to choose from; undefined until they were read. */
export const useJobs = (): readonly CronJob[] | undefined => useResource('all-jobs', readAllJobs).data;

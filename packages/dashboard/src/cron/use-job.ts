import type {CronJob} from '@signalbox/client-sdk';
import {type Resource, useResource} from '../live/use-resource.ts';
import {client} from '../session/client.ts';

export const useJob = (id: string): Resource<CronJob> =>
	useResource(`job/${id}`, () => client.cron.jobs.get({path: {id}}), ['cron.execution']);

import type {CronChainExecution, SignalboxClient} from '@signalbox/client-sdk';
import type {Context, Shown} from '../command-line/command.ts';
import {printable} from '../command-line/printable.ts';
import {pollMs} from './follow-runs.ts';

type StepExecution = CronChainExecution['steps'][number];

/** How a step stands, on one line. */
const stepLine = ({job_name, status, error}: StepExecution): string =>
	printable([`${job_name}: ${status}`, error].filter(Boolean).join(', '));

/** The steps that stand otherwise than before, in their order. Steps that wait are news to nobody. */
const changesOf = (before: CronChainExecution | undefined, {steps}: CronChainExecution): readonly StepExecution[] =>
	steps.filter(({status}, at) => status !== (before?.steps[at]?.status ?? 'pending'));

/** Writes each step's state as it changes. @returns the execution once it is over */
const follow = async ({world, output}: Context, api: SignalboxClient, id: string): Promise<CronChainExecution> => {
	for (let before: CronChainExecution | undefined; ; await world.clock.sleep(pollMs)) {
		const now = await api.cron.chainExecutions.get({path: {id}});
		if (!output.isJson) for (const step of changesOf(before, now)) output.write(`${stepLine(step)}\n`);
		if (now.status !== 'running') return now;
		before = now;
	}
};

/** Follows one execution of a chain until it is over; one that did not succeed makes the command fail. */
export const followedChain = async (context: Context, api: SignalboxClient, id: string): Promise<Shown> => {
	const execution = await follow(context, api, id);
	const {chain_name, status} = execution;
	context.output.note(`${chain_name}: ${status}`);
	return {json: execution, text: '', ...(status !== 'completed' && {failure: `${chain_name} did not succeed`})};
};

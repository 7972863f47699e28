import {until} from '../../support/mcp/until.ts';
import {tally} from '../../support/tally.ts';
import {startCountingUpstream} from '../proxy/counting-upstream.ts';
import {callHeaders, numberedCall, responseIn} from '../proxy/interrupted-load.ts';
import {type Latencies, race} from './race.ts';
import type {Racer, RacingServers} from './racing-servers.ts';

export type DecisionPlan = Readonly<{
	approvals: number;
	/** On each of them at once: half of them approve, half reject, and half of either over each process. */
	decisions: number;
}>;

/** What became of one approval, and of the call that it is for. */
export type Decided = Readonly<{
	/** How often each status was answered to those who decided. */
	answers: Readonly<Partial<Record<string, number>>>;
	/** What the winners said. */
	won: readonly string[];
	/** As each process sees it afterwards. */
	seen: readonly string[];
	/** How often the call ran. */
	executions: number;
	/** The call was answered as one that ran. */
	ran: boolean;
	latencies: Latencies;
}>;

const asDecided = {approve: 'approved', reject: 'rejected'} as const;

/** At every other approval those who reject are the first to ask. */
const decisionOf = (number: number, index: number): keyof typeof asDecided =>
	(index + number * 2) % 4 < 2 ? 'approve' : 'reject';

/**
 * One winner, whom everybody believes; the call ran once if that was an approval, and else never. Of so many at once some may
 * be told to come again (503).
 */
export const isFair = ({answers, won, seen, executions, ran}: Decided, {decisions}: DecisionPlan): boolean => {
	const [decision] = won;
	const runs = decision === 'approved' ? 1 : 0;
	return (
		won.length === 1 &&
		answers[200] === 1 &&
		(answers[409] ?? 0) + (answers[503] ?? 0) === decisions - 1 &&
		seen.every((status) => status === decision) &&
		executions === runs &&
		ran === (runs === 1)
	);
};

type Held = Readonly<{servers: RacingServers; racer: Racer; slug: string}>;

const hold = async ({servers, racer, slug}: Held, number: number) => {
	const origin = servers.originAt(number);
	const options = {method: 'POST', headers: callHeaders, body: numberedCall(number)};
	const answering = fetch(`${origin}/p/${slug}`, options).then(async (answer) => responseIn(await answer.text()));
	const pending = async () => (await racer.at(number).get('/v1/mcp/approvals')).body.data[0];
	// Whoever gives up before it is answered is told of the first thing that went wrong.
	answering.catch(() => {});
	return {answering, id: String((await until(pending, 'the approval')).id)};
};

const decideAtOnce = async (held: Held, number: number, decisions: number): Promise<Omit<Decided, 'executions'>> => {
	const {racer} = held;
	const {answering, id} = await hold(held, number);
	const {replies, latencies} = await race(decisions, async (index) =>
		racer.at(index).post(`/v1/mcp/approvals/${id}/${decisionOf(number, index)}`, {}),
	);
	const answers = tally(replies.map(({status}) => String(status)));
	const won = replies.flatMap(({status}, index) => (status === 200 ? [asDecided[decisionOf(number, index)]] : []));
	const {result} = await answering;
	const seen = await Promise.all(
		[0, 1].map(async (turn) => (await racer.at(turn).get(`/v1/mcp/approvals/${id}`)).body),
	);
	return {answers, won, seen: seen.map(({status}) => status), ran: result?.isError !== true, latencies};
};

/** Lets crowds approve and reject calls that are held, one after the other, over both processes. */
export const raceDecisions = async (servers: RacingServers, plan: DecisionPlan): Promise<readonly Decided[]> => {
	const upstream = await startCountingUpstream();
	try {
		const racer = await servers.addRacer();
		const approval_config = {enabled: true, trust_level: 'strict', ttl_seconds: 3600};
		const fields = {name: 'numbers', target_url: upstream.url, approval_config};
		const {slug} = (await racer.at(0).post('/v1/mcp/servers', fields)).body;
		const decided: Omit<Decided, 'executions'>[] = [];
		for (let number = 0; number < plan.approvals; number += 1)
			decided.push(await decideAtOnce({servers, racer, slug}, number, plan.decisions));
		// Counted at the end: what runs again does so later.
		return decided.map((one, number) => ({...one, executions: upstream.executions(number)}));
	} finally {
		await upstream.close();
	}
};

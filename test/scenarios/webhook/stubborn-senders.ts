import {setTimeout as pause} from 'node:timers/promises';
import {Agent, request} from 'undici';
import type {Body} from '../../support/api.ts';
import type {Whereabouts} from '../../support/restartable-server.ts';
import {numberedBody} from './numbered-destination.ts';

/** What a sender was answered with 202. */
export type Accepted = Readonly<{number: number; event_id: string; status: string}>;

/** Senders of numbered webhooks, who send each one again until they see that it was accepted. */
export type StubbornSenders = Readonly<{
	accepted: readonly Accepted[];
	/** How often a connection was cut, or something else than 202 was answered. */
	cut(): number;
	refused(): number;
	/** Lets them send what comes before that number. */
	allow(before: number): void;
	/** Resolves when all that they may send was accepted, and nothing is allowed any more. */
	end(): Promise<void>;
}>;

const senders = 16;

const send = async (dispatcher: Agent, url: string, number: number): Promise<Body> => {
	const headers = {'content-type': 'application/json'};
	const {statusCode, body} = await request(url, {dispatcher, method: 'POST', headers, body: numberedBody(number)});
	const text = await body.text();
	return statusCode === 202 ? JSON.parse(text) : undefined;
};

/** @param slugs A number always goes to the same one. */
export const startSenders = (server: Whereabouts, slugs: readonly string[]): StubbornSenders => {
	const agent = new Agent({connections: senders});
	const accepted: Accepted[] = [];
	let [next, allowed, cut, refused] = [0, 0, 0, 0];
	let ended = false;
	const sendUntilAccepted = async (number: number): Promise<void> => {
		for (;;) {
			const origin = server.origin();
			try {
				const answer = origin && (await send(agent, `${origin}/wh/${slugs[number % slugs.length]}`, number));
				if (answer) return void accepted.push({number, ...answer});
				if (origin !== undefined) refused += 1;
			} catch {
				cut += 1;
			}
			await pause(5);
		}
	};
	const run = async (): Promise<void> => {
		while (!ended || next < allowed) {
			if (next < allowed) await sendUntilAccepted(next++);
			else await pause(2);
		}
	};
	const running = Array.from({length: senders}, run);
	return {
		accepted,
		cut: () => cut,
		refused: () => refused,
		allow: (before) => {
			allowed = before;
		},
		end: async () => {
			ended = true;
			await Promise.all(running);
			await agent.close();
		},
	};
};

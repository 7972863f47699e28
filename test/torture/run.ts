import {tortureAgentKills} from './agent-kills.ts';
import {tortureAgentOutput} from './agent-output.ts';
import {tortureAnswers} from './answers.ts';
import {tortureChains} from './chains.ts';
import {tortureCrash} from './crash.ts';
import {tortureDestinations} from './destinations.ts';
import {tortureHold} from './hold.ts';
import {tortureMillionRows} from './million-rows.ts';
import {onMariadb} from './on-mariadb.ts';
import {tortureRaces} from './races.ts';
import {tortureRequests} from './requests.ts';
import {tortureStop} from './stop.ts';
import {tortureStreams} from './streams.ts';
import {tortureFleetTicks, tortureTicks} from './ticks.ts';
import {tortureFleetWebhooks, tortureWebhooks} from './webhooks.ts';

/**
 * What takes too long, or too much of a machine, to be a part of `npm test`. Each prints its figures, and rejects when
 * they do not hold: `npm run torture -- <name>`, or all of them without a name. With DRY_RUN in the environment it only names them.
 */
const tortures: Readonly<Record<string, () => Promise<void>>> = {
	answers: tortureAnswers,
	streams: tortureStreams,
	hold: tortureHold,
	destinations: tortureDestinations,
	crash: tortureCrash,
	stop: tortureStop,
	webhooks: tortureWebhooks,
	'fleet-webhooks': onMariadb('fleet-webhooks', tortureFleetWebhooks),
	'agent-output': tortureAgentOutput,
	'agent-kills': tortureAgentKills,
	chains: tortureChains,
	ticks: tortureTicks,
	'fleet-ticks': onMariadb('fleet-ticks', tortureFleetTicks),
	requests: tortureRequests,
	races: tortureRaces,
	'million-rows': tortureMillionRows,
};

const [chosen] = process.argv.slice(2);
const names = chosen === undefined ? Object.keys(tortures) : [chosen];
for (const name of names) {
	const torture = tortures[name];
	if (torture === undefined) throw new Error(`there is no ${name}: one of ${Object.keys(tortures).join(', ')}`);
	console.log(`${name}:`);
	if (!process.env.DRY_RUN) await torture();
}

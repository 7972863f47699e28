import type {Composition} from '../compose.ts';
import {type Command, type CommandContext, refuseArguments} from './command.ts';

/** Whoever runs containers kills them after ten seconds as a rule. Milliseconds. */
const deadline = 9500;

/** A database that stands still, or is locked, answers nobody: waiting for it would be waiting for good. */
const stopInTime = async ({stop}: Composition, {abandon}: CommandContext): Promise<void> => {
	const late = setTimeout(
		() => abandon('The server did not end in time: what was under way is taken up by the next one that starts.'),
		deadline,
	);
	await stop();
	clearTimeout(late);
};

/**
 * Runs the server until it is asked to end. The last line printed is one line of JSON, once everything listens, so that
 * scripts can wait for it.
 */
export const start: Command = async (context) => {
	const {config, args, print, compose, untilStopped} = context;
	refuseArguments('start', args);
	for (const line of config.printed) print(line);
	const composition = await compose();
	try {
		const {addresses, grpc_url} = await composition.start(print);
		print(`Dashboard: ${addresses.base_url}`);
		print(`API:       ${addresses.base_url}/v1`);
		print(`Reference: ${addresses.base_url}/docs`);
		print(`MCP proxy: ${addresses.proxy_url}/p/<slug>`);
		print(`Webhooks:  ${addresses.hook_url}/wh/<slug>`);
		if (grpc_url !== undefined) print(`Agents:    ${grpc_url} (gRPC)`);
		if (config.allowedPrivateCidrs.length > 0)
			print(`Upstreams and destinations may be at private addresses: ${config.allowedPrivateCidrs.join(', ')}`);
		print(JSON.stringify({ready: true, ...addresses, grpc: grpc_url ?? false}));
		await untilStopped();
	} finally {
		await stopInTime(composition, context);
	}
};

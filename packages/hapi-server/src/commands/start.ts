import type {Command} from './command.ts';

/**
 * Runs the server until it is asked to end. The last line printed is one line of JSON, once everything listens, so that
 * scripts can wait for it.
 */
export const start: Command = async ({config, print, compose, untilStopped}) => {
	for (const line of config.printed) print(line);
	const composition = await compose();
	try {
		const {addresses, grpc_url} = await composition.start(print);
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
		await composition.stop();
	}
};

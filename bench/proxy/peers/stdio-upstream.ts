/**
 * The smallest MCP server over stdio, for mcp-proxy, which serves no other kind: it answers every `tools/call` with the
 * same result as the other upstreams do. An argument gives the size of an answer in bytes.
 */
import {createInterface} from 'node:readline';
import {toolResult} from '../message.ts';

const result = toolResult(Number(process.argv[2]));
const initialized = {
	protocolVersion: '2025-11-25',
	capabilities: {tools: {}},
	serverInfo: {name: 'bench', version: '0.0.0'},
};

createInterface({input: process.stdin}).on('line', (line) => {
	const {id, method} = JSON.parse(line);
	if (id === undefined) return;
	const answer = method === 'initialize' ? initialized : result;
	process.stdout.write(`${JSON.stringify({jsonrpc: '2.0', id, result: answer})}\n`);
});

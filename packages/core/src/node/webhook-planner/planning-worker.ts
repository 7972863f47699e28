import {parentPort} from 'node:worker_threads';
import {type CompiledEndpoint, compileEndpoint} from '../../webhook/rules/compile-endpoint.ts';
import {planRequested} from '../../webhook/rules/plan-requested.ts';
import type {PlanningAnswer, PlanningMessage} from './planning-thread.ts';

/** Versions of endpoints that stay compiled: those which were asked for last. */
const mostCompiled = 64;

const compiled = new Map<number, CompiledEndpoint>();

const compiledOf = ({version, request: {pipeline}}: PlanningMessage): CompiledEndpoint => {
	const found = compiled.get(version) ?? compileEndpoint(pipeline.endpoint, pipeline.middlewares, pipeline.rules);
	compiled.delete(version);
	compiled.set(version, found);
	for (const oldest of compiled.keys()) {
		if (compiled.size <= mostCompiled) break;
		compiled.delete(oldest);
	}
	return found;
};

const answerTo = (message: PlanningMessage): PlanningAnswer => {
	try {
		const endpoint = compiledOf(message);
		const before = performance.now();
		const plan = planRequested(endpoint, message.request);
		return {plan, milliseconds: performance.now() - before};
	} catch (error) {
		return {message: error instanceof Error ? error.message : String(error)};
	}
};

if (!parentPort) throw new Error('planning runs in a worker thread');
const port = parentPort;
port.on('message', (message: PlanningMessage) => port.postMessage(answerTo(message)));
port.postMessage('ready' satisfies PlanningAnswer);

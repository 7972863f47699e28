import {Worker} from 'node:worker_threads';
import {DomainError} from '../../errors.ts';
import type {PlanRequest} from '../../ports/index.ts';
import type {AcceptancePlan} from '../../webhook/model/acceptance-plan.ts';

/** A plan and the milliseconds that it took. */
export type Planned = Readonly<{plan: AcceptancePlan; milliseconds: number}>;

/** @param version Requests of one version have one pipeline. */
export type PlanningMessage = Readonly<{version: number; request: PlanRequest}>;
/** `ready` comes once, first. */
export type PlanningAnswer = 'ready' | Planned | Readonly<{message: string}>;

type Pending = Readonly<{resolve(planned: Planned | undefined): void; reject(error: Error): void}>;

/** Beside this module in the sources, beside the bundle when it is built. */
const file = new URL(
	import.meta.url.endsWith('.ts') ? './planning-worker.ts' : './planning-worker.js',
	import.meta.url,
);

/** Bodies of a mebibyte are collected soon enough; what lives long are a few compiled endpoints. */
const youngGenerationMiB = 16;

const settle = (pending: Pending | undefined, answer: Exclude<PlanningAnswer, 'ready'>): void => {
	if ('plan' in answer) pending?.resolve(answer);
	else pending?.reject(new Error(answer.message));
};

const interrupted = (): Error =>
	new DomainError('service_unavailable', {message: 'The webhook could not be planned: try again in a moment.'});

/** @param onEnd called before it ends: what is asked afterwards needs another one. */
const startWorker = (onEnd: () => void, idleMs: number) => {
	const worker = new Worker(file, {
		name: 'signalbox-planning',
		resourceLimits: {maxYoungGenerationSizeMb: youngGenerationMiB},
	});
	const pending: Pending[] = [];
	let ready = false;
	let idle: NodeJS.Timeout | undefined;
	const rest = (): void => {
		// It keeps no process alive by itself.
		worker.unref();
		idle = setTimeout(() => {
			onEnd();
			void worker.terminate();
		}, idleMs).unref();
	};
	worker.on('message', (answer: PlanningAnswer) => {
		if (answer === 'ready') ready = true;
		else settle(pending.shift(), answer);
		if (pending.length === 0) rest();
	});
	// The exit that follows says the same.
	worker.on('error', () => undefined);
	worker.on('exit', () => {
		onEnd();
		for (const {resolve, reject} of pending.splice(0)) {
			if (ready) reject(interrupted());
			else resolve(undefined);
		}
	});
	return {
		ask: async (message: PlanningMessage): Promise<Planned | undefined> => {
			const {body} = message.request.message;
			clearTimeout(idle);
			worker.ref();
			worker.postMessage(message, [body.buffer as ArrayBuffer]);
			return new Promise((resolve, reject) => pending.push({resolve, reject}));
		},
		terminate: async () => worker.terminate(),
	};
};

/** A copy that can be given away, of no more than the body: it may be a part of a larger buffer. */
const withOwnBody = ({message, ...request}: PlanRequest): PlanRequest => ({
	...request,
	message: {...message, body: new Uint8Array(message.body)},
});

/** Starting it anew takes a tenth of a second, and keeping it takes 25 MiB. */
const longestIdleMs = 10_000;

/** A thread that plans one webhook after the other. It is started by the first, ends when it is idle, and is started again. */
export const createPlanningThread = ({idleMs = longestIdleMs}: Readonly<{idleMs?: number}> = {}) => {
	const versions = new WeakMap<PlanRequest['pipeline'], number>();
	let last = 0;
	let worker: ReturnType<typeof startWorker> | undefined;
	const versionOf = (pipeline: PlanRequest['pipeline']): number => {
		const version = versions.get(pipeline) ?? ++last;
		versions.set(pipeline, version);
		return version;
	};
	const start = () => {
		const started = startWorker(() => {
			if (worker === started) worker = undefined;
		}, idleMs);
		return started;
	};
	return {
		/**
		 * @returns undefined when no thread could be started.
		 * @throws service_unavailable when it ends before it has answered.
		 */
		plan: async (request: PlanRequest): Promise<Planned | undefined> => {
			worker ??= start();
			return worker.ask({version: versionOf(request.pipeline), request: withOwnBody(request)});
		},
		close: async (): Promise<void> => {
			await worker?.terminate();
		},
	};
};

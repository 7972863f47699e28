import type {Changes, CompactTrace, TracedBody} from '../model/trace.ts';

const bodiless = <T extends Changes>({body: _, body_truncated: __, ...part}: T): Omit<T, keyof TracedBody> => part;

/** What is left of a trace when the bodies of its event are purged. */
export const withoutBodies = ({pipeline, routing}: CompactTrace): CompactTrace => ({
	pipeline: {...pipeline, steps: pipeline.steps.map(bodiless), result: bodiless(pipeline.result)},
	routing: routing && {...routing, destinations: routing.destinations.map(bodiless)},
});

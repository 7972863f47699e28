import type {MiddlewareConfigs} from '../model/middleware.ts';
import type {Step} from './step.ts';

/** Puts off what is delivered. Nothing sleeps: the seconds of all steps make one due time. */
export const compileDelay =
	({seconds}: MiddlewareConfigs['delay']): Step =>
	() => ({outcome: 'passed', message: `delivered ${seconds} s later`, delay_seconds: seconds});

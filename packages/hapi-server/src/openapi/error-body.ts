import type {ErrorCode} from '@signalbox/core';
import {z} from 'zod';
import {bodySchema, type Schema} from './schema.ts';

type Shown = Readonly<{code: string; message: string}>;

/** What an error looks like. */
export const errorExample = ({code, message}: Shown) => ({
	error: {
		...{code, message},
		...(code === 'validation_error' && {details: [{path: 'name', message: 'is required'}]}),
		request_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2aff',
	},
});

const errorDetail = z.object({
	path: z.string().meta({description: 'The field, as it was sent: `steps.0.name`.'}),
	message: z.string(),
});

/** An error with one of these codes, and no other. */
export const errorSchema = (codes: readonly ErrorCode[]): Schema =>
	bodySchema(
		z.object({
			error: z.object({
				code: z.enum([...new Set(codes)]).meta({description: 'Stable: what programs look at.'}),
				message: z.string().meta({description: 'What happened and what to do, for people.'}),
				details: z.array(errorDetail).optional(),
				request_id: z.string().meta({description: 'Names the request in the logs.'}),
			}),
		}),
	);

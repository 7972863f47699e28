import {z} from 'zod';

/** A one-line name for people: 1 to 200 characters, not only blanks. */
export const nameText = z.string().min(1).max(200).regex(/\S/, 'must not be blank');

/** Over gRPC a text may hold what JSON bodies are refused for, and what hosts say of themselves is shown to people. */
const isPrintable = (text: string): boolean => !/\p{Cc}/u.test(text);

/** The same text, on a line of its own. For requests: what is on record may be older than the rule. */
export const printableText = (text: z.ZodString) => text.refine(isPrintable, 'must not hold control characters');

/** Identifier of a record. */
export const recordId = z.string().meta({description: 'UUIDv7'});

/** ISO 8601, UTC, milliseconds. */
export const instantText = z.iso.datetime();

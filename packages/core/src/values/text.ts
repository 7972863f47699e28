import {z} from 'zod';

/** A one-line name for people: 1 to 200 characters, not only blanks. */
export const nameText = z.string().min(1).max(200).regex(/\S/, 'must not be blank');

/** Identifier of a record. */
export const recordId = z.string().meta({description: 'UUIDv7'});

/** ISO 8601, UTC, milliseconds. */
export const instantText = z.iso.datetime();

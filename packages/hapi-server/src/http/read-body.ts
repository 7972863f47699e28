import type {IncomingMessage} from 'node:http';
import {DomainError} from '@signalbox/core';

/** Most bytes of a body under /v1. */
export const maxBodyBytes = 1024 * 1024;

/** The same where anybody may send one: more than a form takes in which every character is escaped. */
export const maxStrangerBytes = 16 * 1024;

/** A client that sends more than this is not waited for: it may lose the answer with the connection. */
const patienceBytes = 32 * 1024 * 1024;

/** @param most bytes that are taken */
export const tooLarge = (most: number): DomainError =>
	new DomainError('payload_too_large', {message: `The body is too large: at most ${most / 1024} KiB are taken here.`});
const broken = (): DomainError =>
	new DomainError('validation_error', {message: 'The body ended before it was complete.'});

/**
 * Reads a request body. What is too much is dropped as it comes in, and refused once the client is done sending, so that
 * it reads the answer. How long a client may take is the edge's to bound.
 * @param most bytes that are taken
 * @throws payload_too_large; validation_error when the client went away.
 */
export const readBody = (req: IncomingMessage, most = maxBodyBytes): Promise<Buffer> =>
	new Promise((resolve, reject) => {
		if (Number(req.headers['content-length'] ?? 0) > patienceBytes) {
			reject(tooLarge(most));
			return;
		}
		const chunks: Buffer[] = [];
		let size = 0;
		req.on('data', (chunk: Buffer) => {
			size += chunk.length;
			if (size <= most) chunks.push(chunk);
			else chunks.length = 0;
			if (size > patienceBytes) reject(tooLarge(most));
		});
		req.on('end', () => (size > most ? reject(tooLarge(most)) : resolve(Buffer.concat(chunks))));
		req.on('error', () => reject(broken()));
		req.on('close', () => reject(broken()));
	});

import {hash} from 'node:crypto';

/** A text of a caller's choice as part of a key: bounded whatever its length, and no collation can take two for one. */
export const textKeyOf = (text: string): string => hash('sha256', text, 'base64url');

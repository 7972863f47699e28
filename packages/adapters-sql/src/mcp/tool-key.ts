import {createHash} from 'node:crypto';

/** A tool's name as part of a key: bounded whatever its length, and no collation can take two names for one. */
export const toolKeyOf = (tool_name: string): string => createHash('sha256').update(tool_name).digest('base64url');

import {createRequire} from 'node:module';

/**
 * node:http without what Node.js loads for an import of it: an import reads all names that the module exports, and with
 * `WebSocket` comes an undici of Node.js's own, 14 MiB that nobody here uses.
 */
export const {createServer, STATUS_CODES} = createRequire(import.meta.url)('node:http') as typeof import('node:http');

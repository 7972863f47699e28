/** What a server takes in one message, a chunk of output included. */
export const requestMaxBytes = 1024 * 1024;

/** What an agent takes in one message: executions come with all they need. */
export const responseMaxBytes = 32 * 1024 * 1024;

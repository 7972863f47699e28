/**
 * Of each thread that has a database: a group or an answer lives for some milliseconds, and a larger young generation would only be
 * more memory that is never empty.
 */
export const threadLimits = {maxYoungGenerationSizeMb: 6} as const;

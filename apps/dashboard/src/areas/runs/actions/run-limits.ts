/** Limits of the API. */
export const MAX_PARALLELISM = 10_000;
export const MAX_PRIORITY = 10;

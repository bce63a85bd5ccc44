/**
 * For transactions that may change a run as a whole. To store the outputs of a step, or to stop a run, of 100,000 takes
 * seconds, and on a busy machine half a minute: with the usual 15 s it would be tried again for ever.
 */
export const ENGINE_TRANSACTION = { timeoutMs: 120_000 };

/** Injection token: how long running work may continue when the worker shuts down, in milliseconds. */
export const DRAIN_TIMEOUT_MS = Symbol('drain timeout');

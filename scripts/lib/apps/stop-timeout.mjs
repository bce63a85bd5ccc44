const DEFAULT_STOP_TIMEOUT_MS = 15_000;
/** Default of WORKER_DRAIN_SECONDS. */
const DEFAULT_DRAIN_SECONDS = 10;
/** A process exits this long after its running steps had their time; a little more than its own limit. */
const CLOSE_TIMEOUT_MS = { worker: 10_000, single: 15_000 };

/**
 * How long a service may take to stop before it is killed. A worker lets its running steps finish first.
 * @param {string} service
 * @param {NodeJS.ProcessEnv} env
 */
export function stopTimeoutOf(service, env) {
  if (!isWorker(service)) return DEFAULT_STOP_TIMEOUT_MS;
  const seconds = Number(env.WORKER_DRAIN_SECONDS || DEFAULT_DRAIN_SECONDS);
  return (Number.isFinite(seconds) ? seconds * 1_000 : 0) + CLOSE_TIMEOUT_MS[service];
}

/** @type {(service: string) => service is keyof typeof CLOSE_TIMEOUT_MS} */
const isWorker = (service) => service in CLOSE_TIMEOUT_MS;

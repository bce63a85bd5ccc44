/**
 * @typedef {{ status: string, services: Record<string, { status: string }> }} Health
 */

/** Longer than the gateway waits for a service that hangs (4 s); otherwise the gateway itself seems to hang. */
const TIMEOUT_MS = 5_000;

/**
 * Asks the gateway how the services are.
 * @param {string} base URL of the gateway
 * @param {number} [timeoutMs]
 * @returns {Promise<{ ready: boolean, health?: Health } | undefined>} undefined where the gateway does not answer
 */
export async function fetchHealth(base, timeoutMs = TIMEOUT_MS) {
  try {
    const response = await fetch(`${base}/health/ready`, { signal: AbortSignal.timeout(timeoutMs) });
    const health = /** @type {Health | undefined} */ (await response.json().catch(() => undefined));
    return { ready: response.status === 200, ...(health ? { health } : {}) };
  } catch {
    return undefined;
  }
}

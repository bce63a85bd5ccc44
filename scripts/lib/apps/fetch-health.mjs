/**
 * @typedef {{ status: string, services: Record<string, { status: string }> }} Health
 */

/** Longer than the gateway waits for a hanging service (4 s). Otherwise the gateway itself would seem to hang. */
const TIMEOUT_MS = 5_000;

/**
 * Gets the health of the services from the gateway.
 * @param {string} base URL of the gateway
 * @param {number} [timeoutMs]
 * @returns {Promise<{ ready: boolean, health?: Health } | undefined>} undefined if the gateway does not respond
 */
export async function fetchHealth(base, timeoutMs = TIMEOUT_MS) {
  try {
    const response = await fetch(`${base}/health/system`, { signal: AbortSignal.timeout(timeoutMs) });
    const health = /** @type {Health | undefined} */ (await response.json().catch(() => undefined));
    return { ready: response.status === 200, ...(health ? { health } : {}) };
  } catch {
    return undefined;
  }
}

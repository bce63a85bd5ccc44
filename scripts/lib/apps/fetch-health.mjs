/**
 * @typedef {{ status: string, services: Record<string, { status: string }> }} Health
 */

/**
 * Asks the gateway how the services are.
 * @param {string} base URL of the gateway
 * @param {number} [timeoutMs]
 * @returns {Promise<{ ready: boolean, health?: Health } | undefined>} undefined where the gateway does not answer
 */
export async function fetchHealth(base, timeoutMs = 3_000) {
  try {
    const response = await fetch(`${base}/health/ready`, { signal: AbortSignal.timeout(timeoutMs) });
    const health = /** @type {Health | undefined} */ (await response.json().catch(() => undefined));
    return { ready: response.status === 200, ...(health ? { health } : {}) };
  } catch {
    return undefined;
  }
}

/**
 * What one kind of request did. `errors` counts failures by status and code.
 * @typedef {{ kind: string, latencies: number[], errors: Record<string, number> }} Recorded latencies in milliseconds
 */

/** Measures requests by their kind. A failed request counts as an error and not as a latency. */
export class Recorder {
  /** @type {Map<string, Recorded>} */
  #kinds = new Map();

  /**
   * Measures a request, from the call until its response was read.
   * @template T
   * @param {string} kind
   * @param {() => Promise<T>} request
   * @returns {Promise<T | undefined>} undefined if it failed
   */
  async measure(kind, request) {
    const recorded = this.#kinds.get(kind) ?? { kind, latencies: [], errors: {} };
    this.#kinds.set(kind, recorded);
    const startedAt = performance.now();
    try {
      const result = await request();
      recorded.latencies.push(performance.now() - startedAt);
      return result;
    } catch (error) {
      const name = describeFailure(error);
      recorded.errors[name] = (recorded.errors[name] ?? 0) + 1;
      return undefined;
    }
  }

  /** @returns {Recorded[]} */
  list() {
    return [...this.#kinds.values()];
  }
}

/**
 * @param {unknown} error
 * @returns {string} the status and code of the response, or the kind of failure if there was none
 */
export function describeFailure(error) {
  const { status, code, name, reason } = /** @type {Record<string, string | undefined>} */ (Object(error));
  if (status !== undefined) return `${status} ${code}`;
  return [name ?? 'Error', reason].filter(Boolean).join(': ');
}

/**
 * @param {Recorded[][]} parts from several processes
 * @returns {Recorded[]} one for each kind, with sorted latencies
 */
export function mergeRecorded(parts) {
  return [...Map.groupBy(parts.flat(), ({ kind }) => kind)].map(([kind, same]) => {
    /** @type {Record<string, number>} */
    const errors = {};
    for (const [name, count] of same.flatMap((one) => Object.entries(one.errors)))
      errors[name] = (errors[name] ?? 0) + count;
    return { kind, latencies: same.flatMap(({ latencies }) => latencies).sort((a, b) => a - b), errors };
  });
}

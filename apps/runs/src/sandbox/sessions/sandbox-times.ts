/** How long sessions last, in milliseconds. */
export interface SandboxTimes {
  /** Without anything that happens in it. */
  idleMs: number;
  /** In all. */
  lifeMs: number;
}

export const SANDBOX_TIMES = Symbol('times of sandboxes');
export const SANDBOX_LIFE_MS = 8 * 60 * 60_000;

/** How long sessions last, in milliseconds. */
export interface SandboxTimes {
  /** Time without activity. */
  idleMs: number;
  /** Total time. */
  lifetimeMs: number;
}

export const SANDBOX_TIMES = Symbol('SANDBOX_TIMES');
export const SANDBOX_LIFETIME_MS = 8 * 60 * 60_000;

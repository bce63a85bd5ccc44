import type { SubjobStatus } from './statuses.js';

/** The letter of each status in `statuses` of `listChildStatuses`. */
export const STATUS_LETTERS = {
  PENDING: 'P',
  RUNNING: 'R',
  SUCCEEDED: 'S',
  FAILED: 'F',
  STOPPING: 'G',
  STOPPED: 'T',
  SKIPPED: 'K',
} as const satisfies Record<SubjobStatus, string>;

/** Digits of `durations` of `listChildStatuses`: those of base64url. */
export const DURATION_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** `durations` has this many steps for each factor of e. Neighbouring durations differ by 0.6 %. */
export const DURATION_STEPS = 180;

import { OUTPUT_URL } from '../data/find-stored-values.js';
import { type LevelContext } from './expansion.js';

/**
 * The author of a value in a module, if the value names a run's output. A run reads that output only if the author may.
 */
export const authorOf = (value: unknown, { author }: LevelContext): { author?: string } =>
  author !== null && typeof value === 'string' && value.startsWith(OUTPUT_URL) ? { author } : {};

import { OUTPUT_URL } from '../data/find-stored-values.js';
import { type Frame } from './expansion.js';

/** Who wrote a value in a module, if it names an output: the run reads that output only if they may read it. */
export const authorOf = (value: unknown, { author }: Frame): { author?: string } =>
  author !== null && typeof value === 'string' && value.startsWith(OUTPUT_URL) ? { author } : {};

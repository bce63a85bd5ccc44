import { z } from 'zod';
import { sha256 } from './files.js';

/**
 * What a step printed to one stream, as a stored object: `size` bytes are stored. Of a log that was too long these are the
 * first `head` and the last bytes of `total`.
 */
export const storedLog = z.object({
  sha256,
  size: z.number().int().nonnegative(),
  truncated: z.boolean(),
  head: z.number().int().nonnegative().optional(),
  total: z.number().int().nonnegative().optional(),
});

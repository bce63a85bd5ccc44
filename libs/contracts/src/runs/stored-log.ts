import { z } from 'zod';
import { sha256 } from './files.js';

/**
 * The stored output of a step on one stream. Of a log that was too long, the `size` stored bytes are the first `head`
 * bytes and the last bytes of `total`.
 */
export const storedLog = z.object({
  sha256,
  size: z.number().int().nonnegative(),
  truncated: z.boolean(),
  head: z.number().int().nonnegative().optional(),
  total: z.number().int().nonnegative().optional(),
});

import { z } from 'zod';

export const secretsEnv = z.object({
  /** JSON file of master keys, newest first; without it one is derived from MILLRACE_SECRET. */
  SECRETS_KEY_FILE: z.string().min(1).optional(),
});

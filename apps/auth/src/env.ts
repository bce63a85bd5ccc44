import { z } from 'zod';
import { databaseEnv } from '@millrace/service/env';

export const authEnv = databaseEnv.extend({
  /** Address that users see, for links in mails. */
  PUBLIC_URL: z.url().default('http://127.0.0.1:8080'),
  /** `closed` turns sign-up off; invited users still join. */
  SIGNUP: z.enum(['open', 'closed']).default('open'),
});
export type AuthEnv = z.output<typeof authEnv>;

export const AUTH_ENV = Symbol('environment of auth');

import { z } from 'zod';
import { PLANS } from '@millrace/contracts/billing/plans';
import { databaseEnv } from '@millrace/service/startup/env';
import { joinEnv } from './workers/join-env.js';

export const authEnv = databaseEnv.extend({
  /** Address that users open, for links in mails. */
  PUBLIC_URL: z.url().default('http://127.0.0.1:8080'),
  /** `closed` disables sign-up; invited users can still join. */
  SIGNUP: z.enum(['open', 'closed']).default('open'),
  /** Set if the gateway offers sign-in with Google. */
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  /** The plan of new vaults. */
  DEFAULT_PLAN: z.enum(PLANS).default('enterprise'),
  /** Days after which an entry of the installation's audit log is deleted. */
  ADMIN_AUDIT_RETENTION_DAYS: z.coerce.number().int().min(30).max(36_500).default(730),
  /** Days after which an entry of the audit log is deleted; never if absent. */
  AUDIT_RETENTION_DAYS: z.coerce.number().int().min(30).max(36_500).optional(),
  ...joinEnv,
});
export type AuthEnv = z.output<typeof authEnv>;

export const AUTH_ENV = Symbol('environment of auth');

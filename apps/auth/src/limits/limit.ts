import type { Context } from '@millrace/messaging/rpc/context';
import { hashSecret } from '../secrets/hash-secret.js';

const MINUTE_MS = 60_000;
const WINDOW_MS = 15 * MINUTE_MS;
export const MAX_WINDOW_MS = 60 * MINUTE_MS;

/** How much of something may be in the last minutes. */
export interface Limit {
  subject: string;
  most: number;
  windowMs: number;
  /** What was counted stays though a later try succeeds: whoever guesses might bring something right in between. */
  lasts: boolean;
}

/** The subject holds a hash, for `about` may be any text, even such as Postgres cannot hold. */
const limit = (kind: string, about: string, most: number, rest: Partial<Limit> = {}): Limit => ({
  subject: `${kind} ${hashSecret(about)}`,
  most,
  windowMs: WINDOW_MS,
  lasts: true,
  ...rest,
});

const addressOf = ({ envelope }: Context): string => envelope.client?.address ?? '';

export const accountLimit = (email: string): Limit => limit('account', email, 5, { lasts: false });

/** Wrong passwords and second factors: 5 at an account, which the right ones make forgotten, and 20 from an address. */
export const signInLimits = (email: string, context: Context): Limit[] => [
  accountLimit(email),
  limit('address', addressOf(context), 20),
];

/** Of somebody signed in: wrong current passwords, and wrong first codes of an authenticator app. */
export const passwordLimit = (user: string): Limit => limit('password of', user, 5, { lasts: false });
export const firstCodeLimit = (user: string): Limit => limit('first code of', user, 5, { lasts: false });

/** User codes of devices that nobody asked for. */
export const userCodeLimits = (context: Context): Limit[] => [
  limit('user codes by', context.caller.user, 5),
  limit('user codes from', addressOf(context), 20),
];

/** Secrets of mailed links that nobody was sent. */
export const mailedLinkLimit = (context: Context): Limit => limit('mailed links from', addressOf(context), 20);

export const resetRequestLimit = (context: Context): Limit => limit('reset requests from', addressOf(context), 20);
export const deviceCodeLimit = (context: Context): Limit => limit('device codes for', addressOf(context), 30);
/** Mails to people who did not ask for them. */
export const invitationLimits = (vault: string, email: string): Limit[] => [
  limit('invitations to', email, 5, { windowMs: MAX_WINDOW_MS }),
  limit('invitations of', vault, 200, { windowMs: MAX_WINDOW_MS }),
];
export const resetMailLimit = (user: string): Limit => limit('reset mails to', user, 3, { windowMs: MAX_WINDOW_MS });

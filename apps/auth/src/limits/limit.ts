import type { Context } from '@millrace/messaging/rpc/context';
import { hashSecret } from '../secrets/random-token.js';

const MINUTE_MS = 60_000;
const WINDOW_MS = 15 * MINUTE_MS;
export const MAX_WINDOW_MS = 60 * MINUTE_MS;

/** How many attempts of one subject are allowed within a sliding window. */
export interface Limit {
  subject: string;
  maxAttempts: number;
  windowMs: number;
  /** Whether a success clears the counted failures. If an attacker may mix in successful attempts, it must not. */
  resetsOnSuccess: boolean;
}

/** The subject contains a hash, because `key` may be any text, even one that Postgres cannot store. */
const limit = (kind: string, key: string, maxAttempts: number, rest: Partial<Limit> = {}): Limit => ({
  subject: `${kind} ${hashSecret(key)}`,
  maxAttempts,
  windowMs: WINDOW_MS,
  resetsOnSuccess: false,
  ...rest,
});

const addressOf = ({ envelope }: Context): string => envelope.client?.address ?? '';

export const accountLimit = (email: string): Limit => limit('account', email, 5, { resetsOnSuccess: true });

/** Wrong passwords and second factors: 5 per account, which a success clears, and 20 per address. */
export const signInLimits = (email: string, context: Context): Limit[] => [
  accountLimit(email),
  limit('address', addressOf(context), 20),
];

/** For signed-in users: wrong current passwords, and wrong first codes of an authenticator app. */
export const passwordLimit = (user: string): Limit => limit('password of', user, 5, { resetsOnSuccess: true });
export const firstCodeLimit = (user: string): Limit => limit('first code of', user, 5, { resetsOnSuccess: true });

/** Unknown user codes of devices. */
export const userCodeLimits = (context: Context): Limit[] => [
  limit('user codes by', context.caller.user, 5),
  limit('user codes from', addressOf(context), 20),
];

/** Unknown join tokens of workers. */
export const joinLimit = (context: Context): Limit => limit('join tokens from', addressOf(context), 20);

/** Unknown tokens of mailed links. */
export const mailedLinkLimit = (context: Context): Limit => limit('mailed links from', addressOf(context), 20);

export const resetRequestLimit = (context: Context): Limit => limit('reset requests from', addressOf(context), 20);
export const deviceCodeLimit = (context: Context): Limit => limit('device codes for', addressOf(context), 30);
/** Bounds unsolicited mails. */
export const invitationLimits = (vault: string, email: string): Limit[] => [
  limit('invitations to', email, 5, { windowMs: MAX_WINDOW_MS }),
  limit('invitations of', vault, 200, { windowMs: MAX_WINDOW_MS }),
];
export const resetMailLimit = (user: string): Limit => limit('reset mails to', user, 3, { windowMs: MAX_WINDOW_MS });

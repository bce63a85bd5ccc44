/**
 * Why a sign-in with Google fails, in words for its user. The browser returns to the sign-in page with the name of the
 * problem in the address. An address with the sentence itself would let anyone write texts on that page.
 */
export const GOOGLE_PROBLEMS = {
  access_denied: 'Google did not sign you in. Start the sign-in again.',
  expired_token: 'This sign-in has expired, was already used, or began in another browser. Start the sign-in again.',
  unverified_email: 'Google has not verified your email address. Verify it in your Google account and sign in again.',
  unusable_profile: 'Google sent no usable email address or name for your account. Sign in with another account.',
  account_disabled: 'This account is disabled. Ask an owner of the vault to enable it.',
  account_exists:
    'An account with this email address already exists. Sign in with the method that it was created with.',
  signup_closed: 'Sign-up is closed on this server. Ask an owner of a vault for an invitation.',
  invitation_closed: 'The invitation was used, revoked or has expired. Ask for a new one.',
  invitation_for_other_email:
    'The invitation is for another email address. Open its link again and choose the Google account with that address.',
  rate_limited: 'Too many requests. Wait a minute and try again.',
  unavailable: 'Google or a part of this server is not available. Try again in a few seconds.',
  storage_full: "The server's disk is full. Try again after its operator has freed space.",
  internal_error: 'The sign-in failed on the server. Try again; if it fails again, report the id of the request.',
} as const satisfies Record<string, string>;

export type GoogleProblem = keyof typeof GOOGLE_PROBLEMS;

export const isGoogleProblem = (name: unknown): name is GoogleProblem =>
  typeof name === 'string' && Object.hasOwn(GOOGLE_PROBLEMS, name);

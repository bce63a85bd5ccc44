import { type toErrorDetails, type ApiError } from '@millrace/contracts/kit/api-error';

/** What fields are called on the pages. */
const FIELDS: Record<string, string> = {
  'body.email': 'Email',
  'body.password': 'Password',
  'body.name': 'Name',
  'body.user_code': 'Code',
  'query.user_code': 'Code',
  'body.token': 'Link',
  'body.ticket': 'Link',
};

/** Sentences for whoever fills in a form, where the API's are for those who write programs. */
const SENTENCES: Partial<Record<ApiError['code'], string>> = {
  invalid_credentials: 'Email or password is not right.',
  mfa_required: 'Your account asks for a second factor: enter the code of your authenticator app, or a recovery code.',
  invalid_mfa_code: 'The authentication code is not right, or was used before. Enter the next one, or a recovery code.',
  expired_token: 'This link is not good any more: it has expired or was used already.',
  unauthenticated: 'Your sign-in has ended. Sign in again.',
  token_expired: 'Your sign-in has ended. Sign in again.',
  internal_error: 'Something went wrong on our side. Try again in a moment.',
  unavailable: 'A part of the service is not available. Try again in a moment.',
  storage_full: 'The disk of the server is full. Try again later.',
};

export type Problem = Pick<ApiError, 'code' | 'message' | 'status' | 'details'>;

/** @param own sentences of one page, which go before the usual ones */
export function explainProblem(problem: Problem, own: typeof SENTENCES = {}): string {
  const { code, message, details } = problem;
  if (code === 'rate_limited') return `Too many tries. Wait ${waitOf(details)} and try again.`;
  const wrong = Object.entries(details ?? {}).flatMap(([field, what]) =>
    FIELDS[field] === undefined ? [] : [`${FIELDS[field]}: ${String(what)}.`],
  );
  if (code === 'validation_error' && wrong.length > 0) return wrong.join(' ');
  return own[code] ?? SENTENCES[code] ?? `${message}.`;
}

function waitOf(details: ReturnType<typeof toErrorDetails> | undefined): string {
  const seconds = Number(details?.['retry_after'] ?? 60);
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

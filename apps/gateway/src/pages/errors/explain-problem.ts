import { type toErrorDetails, type ApiError } from '@millrace/contracts/kit/api-error';

/** Labels of the API's fields on the pages. */
const FIELD_LABELS: Record<string, string> = {
  'body.email': 'Email',
  'body.password': 'Password',
  'body.name': 'Name',
  'body.user_code': 'Code',
  'query.user_code': 'Code',
  'body.token': 'Link',
  'body.ticket': 'Link',
};

/** Sentences for users of a form; the API's own messages are for programmers. */
const DEFAULT_SENTENCES: Partial<Record<ApiError['code'], string>> = {
  invalid_credentials: 'The email or password is wrong.',
  mfa_required: 'Your account requires a second factor. Enter the code of your authenticator app or a recovery code.',
  invalid_mfa_code: 'The authentication code is wrong or was already used. Enter the next one or a recovery code.',
  expired_token: 'This link is no longer valid: it has expired or was already used.',
  unauthenticated: 'Your session has ended. Sign in again.',
  token_expired: 'Your session has ended. Sign in again.',
  internal_error: 'Something went wrong on our side. Try again in a moment.',
  unavailable: 'A part of the service is not available. Try again in a moment.',
  storage_full: 'The disk of the server is full. Try again later.',
};

export type Problem = Pick<ApiError, 'code' | 'message' | 'status' | 'details'>;

/** @param sentences of one page; they take precedence over the default ones */
export function explainProblem(problem: Problem, sentences: typeof DEFAULT_SENTENCES = {}): string {
  const { code, message, details } = problem;
  if (code === 'rate_limited') return `Too many attempts. Wait ${formatWait(details)} and try again.`;
  const fieldProblems = Object.entries(details ?? {}).flatMap(([field, problem]) =>
    FIELD_LABELS[field] === undefined ? [] : [`${FIELD_LABELS[field]}: ${String(problem)}.`],
  );
  if (code === 'validation_error' && fieldProblems.length > 0) return fieldProblems.join(' ');
  return sentences[code] ?? DEFAULT_SENTENCES[code] ?? message.replace(/[^.!?]$/, '$&.');
}

function formatWait(details: ReturnType<typeof toErrorDetails> | undefined): string {
  const seconds = Number(details?.['retry_after'] ?? 60);
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

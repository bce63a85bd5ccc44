import { z } from 'zod';
import { describeIssue } from './describe-issue.js';

z.config({ customError: describeIssue });

/** Every error code of the API, and its HTTP status. */
export const HTTP_STATUS = {
  validation_error: 400,
  malformed_json: 400,
  invalid_credentials: 400,
  mfa_required: 400,
  invalid_mfa_code: 400,
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  access_denied: 400,
  unauthenticated: 401,
  token_expired: 401,
  forbidden: 403,
  plan_required: 403,
  not_found: 404,
  version_conflict: 409,
  payload_too_large: 413,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
  storage_full: 507,
} as const;
export type ErrorCode = keyof typeof HTTP_STATUS;

/** Maps a field path (`body.name`, `query.page`) to its problem, in words that follow the field's name. */
export type ErrorDetails = Record<string, unknown>;

export const errorBody = z
  .object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Error' });

/** A failure that the caller sees. Any other error becomes a 500 response that reveals no internals. */
export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    public details?: ErrorDetails,
  ) {
    super(message);
  }

  get status(): number {
    return HTTP_STATUS[this.code];
  }

  /** True if the platform failed rather than the request, so the same request may succeed later. */
  get isServerError(): boolean {
    return this.status >= 500;
  }

  toBody(): { code: ErrorCode; message: string; details?: ErrorDetails } {
    return { code: this.code, message: this.message, ...(this.details && { details: this.details }) };
  }
}

/**
 * A record that does not exist in the caller's vault. The caller gets the same response if they have no role in the
 * record's space, so that ids reveal nothing.
 * @param record kind and id, such as `Space 01a2…`
 */
export class NotFoundError extends ApiError {
  constructor(record: string) {
    super('not_found', `${record} does not exist in this vault.`);
  }
}

export class ValidationError extends ApiError {
  constructor(details: ErrorDetails, message = 'The request is not valid.') {
    super('validation_error', message, details);
  }
}

export class ForbiddenError extends ApiError {
  constructor(message = 'Your role does not permit this. Ask an owner of the space or the vault for a stronger role.') {
    super('forbidden', message);
  }
}

/** Most dependencies restart within this time. */
const RETRY_AFTER_SECONDS = 5;

/** A dependency does not respond. The gateway turns `details.retry_after` into the header `Retry-After`. */
export class UnavailableError extends ApiError {
  constructor(message: string) {
    super('unavailable', message, { retry_after: RETRY_AFTER_SECONDS });
  }
}

/** A disk is full. An operator has to free space, so clients wait longer than for a restart. */
export class StorageFullError extends ApiError {
  constructor(message = "The server's disk is full. Try again after its operator has freed space.") {
    super('storage_full', message, { retry_after: 60 });
  }
}

type Issue = z.ZodError['issues'][number];

/** Converts zod's issues to `details`. @param prefix the part of the request that was parsed, such as `body` */
export function toErrorDetails(error: Pick<z.ZodError, 'issues'>, prefix = ''): ErrorDetails {
  const details: ErrorDetails = {};
  const join = (...parts: (string | undefined)[]) => parts.filter(Boolean).join('.');
  for (const issue of error.issues) {
    const path = join(prefix, ...issue.path.map(String));
    const nested = findClosestAlternative(issue);
    if (nested) {
      Object.assign(details, { ...toErrorDetails({ issues: nested }, path), ...details });
      continue;
    }
    // The message of unrecognized keys has one line per key; see describeIssue.
    const isAboutKeys = issue.code === 'unrecognized_keys';
    const problems = isAboutKeys ? issue.message.split('\n') : [issue.message];
    for (const [index, problem] of problems.entries()) {
      details[join(path, isAboutKeys ? issue.keys[index] : undefined)] ??= problem;
    }
  }
  return details;
}

/** The issues of the union's alternative with the fewest issues; null if the whole value has another type than any. */
function findClosestAlternative(issue: Issue): Issue[] | null {
  if (issue.code !== 'invalid_union') return null;
  const [first, ...others] = issue.errors.filter((issues) => issues.length > 0);
  const closest = first && others.reduce((best, issues) => (issues.length < best.length ? issues : best), first);
  return closest?.some(({ path }) => path.length > 0) ? closest : null;
}

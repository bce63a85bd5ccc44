import { z } from 'zod';

/** Every error code the API gives, and its HTTP status. */
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

/** Maps a field path (`body.name`, `query.page`) to what is wrong with it. */
export type ErrorDetails = Record<string, unknown>;

export const errorBody = z
  .object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Error' });

/** A failure that the caller is told of; anything else thrown is a 500 without internals. */
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

  /** Whether the platform failed and not the request, so that the same request may succeed later. */
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
  constructor(details: ErrorDetails, message = 'The request is not valid') {
    super('validation_error', message, details);
  }
}

export class ForbiddenError extends ApiError {
  constructor(message = 'Your role does not permit this') {
    super('forbidden', message);
  }
}

/** Seconds after which a client may try again while a dependency is away: most restart within that time. */
const RETRY_AFTER_SECONDS = 5;

/** Something that the request needs does not respond. `retry_after` of the details becomes the header `Retry-After`. */
export class UnavailableError extends ApiError {
  constructor(message: string) {
    super('unavailable', message, { retry_after: RETRY_AFTER_SECONDS });
  }
}

/** A disk that the request needs is full. Somebody has to make room, so clients wait longer than for a restart. */
export class StorageFullError extends ApiError {
  constructor(message = 'The disk of the server is full. Try again when its operator has made room.') {
    super('storage_full', message, { retry_after: 60 });
  }
}

type Issue = z.ZodError['issues'][number];

/** Turns zod's issues into `details`; `prefix` names the part of the request they are in. */
export function toErrorDetails(error: Pick<z.ZodError, 'issues'>, prefix = ''): ErrorDetails {
  const details: ErrorDetails = {};
  const join = (...parts: (string | null)[]) => parts.filter((part) => part !== '' && part !== null).join('.');
  for (const issue of error.issues) {
    const path = join(prefix, ...issue.path.map(String));
    const meant = closestOf(issue);
    if (meant) {
      Object.assign(details, { ...toErrorDetails({ issues: meant }, path), ...details });
      continue;
    }
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [null];
    for (const key of keys) {
      details[join(path, key)] ??= key === null ? issue.message : 'is not a known field';
    }
  }
  return details;
}

/** Of several shapes that something may have, what is wrong with it as the one that it comes closest to. */
function closestOf(issue: Issue): Issue[] | null {
  if (issue.code !== 'invalid_union') return null;
  const [first, ...others] = issue.errors.filter((issues) => issues.length > 0);
  const closest = first && others.reduce((best, issues) => (issues.length < best.length ? issues : best), first);
  return closest?.some(({ path }) => path.length > 0) ? closest : null;
}

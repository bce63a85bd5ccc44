/**
 * An error that the server reports; its subclass depends on the status. `code` is one of the API's error codes, and `details` maps
 * fields to descriptions.
 */
export class MillraceError extends Error {
  override readonly name: string = 'MillraceError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Record<string, unknown> | undefined,
    readonly requestId: string | undefined,
    /** The requested URL, after redirects. */
    readonly url?: string,
  ) {
    super(message);
  }

  /** Whether another server, such as a proxy, sent the error. Millrace may not have received the request. */
  get isForeign(): boolean {
    return this.code.startsWith('http_');
  }
}

/** The credentials are missing, expired or wrong (401). */
export class AuthenticationError extends MillraceError {
  override readonly name = 'AuthenticationError';
}

/** The caller's roles do not permit the operation (403). */
export class PermissionError extends MillraceError {
  override readonly name = 'PermissionError';
}

/** The record does not exist, or the caller may not know that it does (404). */
export class NotFoundError extends MillraceError {
  override readonly name = 'NotFoundError';
}

/** The record has changed since the caller read it, or its state does not permit the operation (409, 412). */
export class ConflictError extends MillraceError {
  override readonly name = 'ConflictError';
}

/** The input is wrong (400, 413, 415, 416, 422); `details` maps fields to descriptions. */
export class InvalidRequestError extends MillraceError {
  override readonly name = 'InvalidRequestError';
}

/** Too many requests (429), even after the pauses that the server asked for. */
export class RateLimitError extends MillraceError {
  override readonly name = 'RateLimitError';
}

/** The server failed (5xx). */
export class ServerError extends MillraceError {
  override readonly name = 'ServerError';
}

const CLASSES: Readonly<Record<number, typeof MillraceError>> = {
  ...{ 401: AuthenticationError, 403: PermissionError, 404: NotFoundError, 409: ConflictError, 412: ConflictError },
  429: RateLimitError,
};

const classOf = (status: number): typeof MillraceError =>
  CLASSES[status] ?? (status >= 500 ? ServerError : status >= 400 ? InvalidRequestError : MillraceError);

/**
 * The server did not respond: it cannot be reached, the connection was lost, or the timeout has passed. `cause` has the reason.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** Why, in the words of the platform, such as `connect ECONNREFUSED 127.0.0.1:8080`. */
  readonly reason: string;

  constructor(
    /** The requested URL. */
    readonly url: string,
    cause: unknown,
    /** Whether the response had begun, so that only its rest is missing. */
    readonly isInterrupted = false,
  ) {
    const reason = describeCause(cause);
    const { origin } = new URL(url);
    super(isInterrupted ? `The connection to ${origin} was lost: ${reason}` : `No response from ${origin}: ${reason}`, {
      cause,
    });
    this.reason = reason;
  }
}

/** `fetch` reports "fetch failed", whose cause names the reason. With several addresses, the cause has an error for each. */
function describeCause(error: unknown): string {
  interface Described {
    message?: unknown;
    cause?: Described & { errors?: Described[] };
  }
  const { message, cause } = error as Described;
  const inner = cause?.errors?.[0] ?? cause;
  if (typeof inner?.message === 'string' && inner.message !== '') return inner.message;
  return typeof message === 'string' ? message : String(error);
}

/** Reads the error from a response. An error of another server, such as a proxy, has the status and the text of the response. */
export async function readError(response: Response): Promise<MillraceError> {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const Kind = classOf(response.status);
  const text = await response.text().catch(() => '');
  const body = parseObject(text);
  if (typeof body?.code === 'string' && typeof body.message === 'string') {
    const details = isRecord(body.details) ? body.details : undefined;
    return new Kind(response.status, body.code, body.message, details, requestId, response.url);
  }
  const message =
    text.trim().slice(0, 200).toWellFormed() ||
    `The server responded with status ${response.status} ${response.statusText}`.trim();
  return new Kind(response.status, `http_${response.status}`, message, undefined, requestId, response.url);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

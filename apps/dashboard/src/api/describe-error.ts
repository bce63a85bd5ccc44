import { ConnectionError, MillraceError, UnexpectedResponseError } from '@millrace/client';

/** An error as pages show it. */
export interface ErrorDescription {
  message: string;
  /** The code of the API, for support and for looking it up. */
  code?: string;
  requestId?: string;
  /** Problems by field of the request. */
  fields: Record<string, string>;
  /** Whether the same request may succeed later. */
  isTemporary: boolean;
  /** Whether the record does not exist, or is hidden from the user. */
  isMissing?: boolean;
  /** Whether it succeeds after the user has signed in again, because the operation accepts no older sign-in. */
  needsSignIn?: boolean;
}

/** The API's own words, with its code and the id of the request. */
export function describeError(error: unknown): ErrorDescription {
  if (error instanceof MillraceError) {
    return {
      message: error.message,
      code: error.code,
      ...(error.requestId !== undefined && { requestId: error.requestId }),
      fields: fieldsOf(error.details),
      isTemporary: error.status >= 500 || error.status === 429,
      isMissing: error.status === 404,
      needsSignIn: error.details?.['sign_in_within_seconds'] !== undefined,
    };
  }
  if (error instanceof ConnectionError)
    return {
      message: 'The server does not respond. Try again when it does.',
      fields: {},
      isTemporary: true,
    };
  if (error instanceof UnexpectedResponseError) return { message: error.message, fields: {}, isTemporary: true };
  return { message: error instanceof Error ? error.message : String(error), fields: {}, isTemporary: false };
}

function fieldsOf(details: Record<string, unknown> | undefined): Record<string, string> {
  const texts = Object.entries(details ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts.map(([path, text]) => [path.replace(/^body\./, ''), text]));
}

/** Whether the session of the page has ended. A wrong password has a code of its own. */
export const isSessionOver = (error: unknown): boolean =>
  error instanceof MillraceError && (error.code === 'unauthenticated' || error.code === 'token_expired');

/** Whether the server, or the way to it, is unavailable. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof MillraceError && [502, 503, 504].includes(error.status));

/** A failure that the server told of. `code` is one of the API's error codes, `details` maps fields to what is wrong. */
export class MillraceError extends Error {
  override readonly name = 'MillraceError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Record<string, unknown> | undefined,
    readonly requestId: string | undefined,
    /** What was asked, after redirects. */
    readonly url?: string,
  ) {
    super(message);
  }

  /** Whether something else than Millrace told it, like a proxy; such a failure says nothing about the request. */
  get isForeign(): boolean {
    return this.code.startsWith('http_');
  }
}

/** Reads the error body of an answer; what came from something else (a proxy) keeps its status and its text. */
export async function readError(response: Response): Promise<MillraceError> {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const text = await response.text().catch(() => '');
  const body = parseObject(text);
  if (typeof body?.code === 'string' && typeof body.message === 'string') {
    const details = isRecord(body.details) ? body.details : undefined;
    return new MillraceError(response.status, body.code, body.message, details, requestId, response.url);
  }
  const message =
    text.trim().slice(0, 200).toWellFormed() || `The server answered ${response.status} ${response.statusText}`.trim();
  return new MillraceError(response.status, `http_${response.status}`, message, undefined, requestId, response.url);
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
